// For translators: outlines each passage by its state, and tells of one where it stands and what is
// wrong with it. `pylit serve --translate` adds this script; a published page does not have it.
(async () => {
  const own = document.currentScript.dataset;
  const KEPT = "pylit:segment";
  const answer = await fetch(own.segments);
  if (!answer.ok) return;
  const { panel: words, segments } = await answer.json();

  // A paragraph that holds a displayed formula was cut in two, so a passage may have many blocks.
  const blocks = segments.map(() => []);
  for (const block of document.querySelectorAll("main [data-message]")) {
    const number = Number(block.dataset.message);
    if (!segments[number]) continue;
    block.dataset.translation = segments[number].state;
    if (!blocks[number].length) block.tabIndex = 0;
    blocks[number].push(block);
  }

  const host = document.createElement("pylit-translation");
  const inside = host.attachShadow({ mode: "open" });
  inside.innerHTML = words;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = "/.pylit/translate.css";
  inside.prepend(style);
  const panel = inside.querySelector("section");
  const open = segments.filter(({ state }) => state !== "translated").length;
  inside.querySelector("[data-do=next]").disabled = !open;

  let current = -1;
  const mark = (number) => {
    for (const block of blocks[current] ?? []) delete block.dataset.current;
    current = number;
    for (const block of blocks[current] ?? []) block.dataset.current = "";
  };
  const when = (name, so) => {
    for (const element of inside.querySelectorAll(`[data-when="${name}"]`)) element.hidden = !so;
  };
  const keep = () => {
    if (!host.isConnected) return;
    const { source } = segments[current];
    const focused = document.activeElement === host;
    const kept = { page: own.page, number: current, source, focused, y: panel.scrollTop };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  };

  const show = (number) => {
    const segment = segments[number];
    mark(number);
    for (const state of ["translated", "machine", "fuzzy", "empty", "error"]) {
      when(state, state === segment.state);
    }
    when("unlisted", !segment.listed);
    when("copied", false);
    const formulas = segment.formulas.map((formula, index) => `{math${index + 1}} = ${formula}`);
    const parts = {
      ...segment, left: open, formulas: formulas.join("\n"), faults: segment.faults.join("\n"),
    };
    for (const part of inside.querySelectorAll("[data-part]")) {
      const text = String(parts[part.dataset.part]);
      part.textContent = text;
      if (part.tagName === "DD") part.parentElement.hidden = !text;
    }
    if (!host.isConnected) document.body.append(host);
    panel.scrollTop = 0;
    keep();
  };
  const close = () => {
    host.remove();
    sessionStorage.removeItem(KEPT);
    blocks[current]?.[0]?.focus({ preventScroll: true });
    mark(-1);
  };
  const enter = () => panel.focus({ preventScroll: true });
  // Where the reader last was, it goes on from there even if the panel has been closed.
  let last = -1;
  const next = () => {
    const order = [...segments.keys()].map((step) => (last + 1 + step) % segments.length);
    const number = order.find((each) => segments[each].state !== "translated");
    if (number === undefined) return;
    last = number;
    show(number);
    const [block] = blocks[number];
    block?.closest("details:not([open])")?.setAttribute("open", "");
    block?.scrollIntoView({ block: "center" });
    enter();
  };
  const copy = async (code) => {
    getSelection().selectAllChildren(code);
    // Without a secure address there is no clipboard, but what is selected can be copied by hand.
    try {
      await navigator.clipboard.writeText(code.textContent);
      when("copied", true);
    } catch { /* It stays selected. */ }
  };

  const choose = (event) => {
    const block = event.target.closest("[data-translation]");
    // Links and buttons inside a passage keep their own work.
    if (!block || event.target.closest("a, button, summary, input")) return;
    last = Number(block.dataset.message);
    show(last);
    enter();
  };
  document.addEventListener("click", (event) => {
    // Who selects words wants to copy them.
    if (getSelection().isCollapsed) choose(event);
  });
  panel.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button?.dataset.do === "close") close();
    if (button?.dataset.do === "next") next();
    if (button?.dataset.do === "copy") copy(button.parentElement.querySelector("code"));
  });
  const lettersWork = () => {
    try { return localStorage.getItem("pylit.keys") !== "off"; } catch { return true; }
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    if (event.key === "n" && lettersWork()) next();
    if (event.key === "Enter" && event.target.matches("[data-translation]")) choose(event);
    if (event.key === "Escape" && host.isConnected) close();
  });

  // After a reload the panel is where it was, even if passages came or went above.
  const kept = JSON.parse(sessionStorage.getItem(KEPT));
  if (kept?.page === own.page) {
    const same = segments[kept.number]?.source === kept.source ? kept.number
      : segments.findIndex(({ source }) => source === kept.source);
    const number = same >= 0 ? same : kept.number;
    if (segments[number]) {
      last = number;
      show(number);
      panel.scrollTop = kept.y;
      if (kept.focused) enter();
    }
  }
  addEventListener("pagehide", keep);
  document.documentElement.dataset.pylitSegments = segments.length;
})();
