// The keyboard: one letter for what a reader does most. It can be switched off in the help,
// since single letters get in the way of speech input.
(() => {
  const help = document.getElementById("pylit-help");
  const toggle = help?.querySelector("[name=keys]");
  const rows = [...document.querySelectorAll(".row[id]")];
  if (!toggle) return;

  try { toggle.checked = localStorage.getItem("pylit.keys") !== "off"; } catch { /* as it is */ }
  toggle.addEventListener("change", () => {
    try { localStorage.setItem("pylit.keys", toggle.checked ? "on" : "off"); } catch { /* not remembered */ }
  });

  const edge = () => parseFloat(getComputedStyle(rows[0]).scrollMarginBlockStart) + 2;
  // The section with the focus, or else the one at the top of the window.
  const current = () => {
    const focused = rows.indexOf(document.activeElement.closest(".row"));
    if (focused >= 0) {
      const box = rows[focused].getBoundingClientRect();
      if (box.bottom > 0 && box.top < innerHeight) return focused;
    }
    return rows.findLastIndex((row) => row.getBoundingClientRect().top < edge());
  };
  const go = (step) => {
    const row = rows[Math.min(Math.max(current() + step, 0), rows.length - 1)];
    if (!row) return;
    row.scrollIntoView({ block: "start" });
    row.querySelector(".mark a")?.focus({ preventScroll: true });
  };
  // The bar of what is marked has the same two as buttons.
  const place = (name) => document.querySelector(`.marked:not([hidden]) [name=${name}]`)?.click();
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    o: () => document.querySelector(".contents")?.click(),
    c: () => rows[Math.max(current(), 0)]?.dispatchEvent(new CustomEvent("pylit:copy", { bubbles: true })),
    n: () => place("next"),
    N: () => place("previous"),
    "/": () => document.querySelector("[data-search]")?.click(),
    "?": () => help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || help.open) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const action = actions[event.key];
    if (!action || (!toggle.checked && event.key !== "?")) return;
    event.preventDefault();
    action();
  });
  document.querySelector("[data-help]")?.addEventListener("click", () => help.showModal());
})();
