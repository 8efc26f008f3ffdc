// The reader's settings: colours, size of text, long lines, shapes. This file alone is loaded before
// the page is painted, so that no other look flashes up first.
(() => {
  const root = document.documentElement;
  const choices = {
    scheme: ["system", "light", "dark"],
    size: ["medium", "small", "large", "huge"],
    lines: ["scroll", "wrap"],
    shapes: ["hide", "show"],
  };

  // Storage can be forbidden; then the choice holds for this page only.
  const recall = (name) => {
    try { return localStorage.getItem("pylit." + name); } catch { return null; }
  };
  const remember = (name, value) => {
    try { localStorage.setItem("pylit." + name, value); } catch { /* not remembered */ }
  };
  const apply = (name, value) => {
    root.dataset[name] = choices[name].includes(value) ? value : choices[name][0];
  };

  root.classList.add("scripts");
  for (const name in choices) apply(name, recall(name));

  const show = () => {
    for (const name in choices) {
      const input = document.querySelector(`#pylit-settings input[name=${name}][value=${root.dataset[name]}]`);
      if (input) input.checked = true;
    }
  };
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("change", ({ target }) => {
    if (!target.closest("#pylit-settings")) return;
    apply(target.name, target.value);
    remember(target.name, target.value);
  });
  // Another tab of the site changed its mind: follow it.
  addEventListener("storage", ({ key, newValue }) => {
    const name = (key || "").replace("pylit.", "");
    if (!(name in choices)) return;
    apply(name, newValue);
    show();
  });
})();
