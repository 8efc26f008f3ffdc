// What belongs together lights up together: a term in formulas, words and code; a name in the code.
// Pointing at a term or giving it the focus shows it for that long; a click keeps it, and a bar
// leads from place to place.
(() => {
  const bar = document.getElementById("pylit-marked");
  if (!bar) return;
  const label = bar.querySelector("span");
  const count = bar.querySelector("output");
  const definition = bar.querySelector("a");
  const words = bar.dataset;
  const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu;
  let places = [];
  let at = -1;

  // Terms are elements. Those of the words can be reached by the Tab key.
  const terms = new Map();
  for (const each of document.querySelectorAll("main [data-term]")) {
    const name = each.dataset.term;
    if (!terms.has(name)) terms.set(name, []);
    terms.get(name).push(each);
    if (each.matches(".prose span.term")) {
      each.tabIndex = 0;
      each.setAttribute("role", "button");
    }
  }
  const termsOf = (element) => {
    const found = [];
    for (let each = element?.closest?.("[data-term]"); each; each = each.parentElement.closest("[data-term]")) {
      found.push(each.dataset.term);
    }
    return found;
  };
  const light = (names, sort) => {
    for (const lit of document.querySelectorAll(`.${sort}`)) lit.classList.remove(sort);
    for (const name of names) for (const each of terms.get(name) ?? []) each.classList.add(sort);
  };

  // Names in code are ranges of text: most of them have no element of their own.
  let ranges = null;
  const isName = (node) => {
    const holder = node.parentElement;
    return holder.closest(".code .line") && !holder.closest(".line > a[id], .shapes") && !/^[ckms]/.test(holder.className);
  };
  const collect = () => {
    ranges = new Map();
    for (const line of document.querySelectorAll("main .code .line")) {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!isName(node)) continue;
        for (const found of node.data.matchAll(NAME)) {
          const range = new Range();
          range.setStart(node, found.index);
          range.setEnd(node, found.index + found[0].length);
          if (!ranges.has(found[0])) ranges.set(found[0], []);
          ranges.get(found[0]).push(range);
        }
      }
    }
  };
  const paint = (name, list) => {
    if (!globalThis.Highlight) return;
    if (list.length) CSS.highlights.set(name, new Highlight(...list));
    else CSS.highlights.delete(name);
  };
  const nameAt = (x, y) => {
    const caret = document.caretPositionFromPoint?.(x, y);
    const range = caret ? null : document.caretRangeFromPoint?.(x, y);
    const node = caret?.offsetNode ?? range?.startContainer;
    const offset = caret?.offset ?? range?.startOffset;
    if (node?.nodeType !== Node.TEXT_NODE || !isName(node)) return "";
    for (const found of node.data.matchAll(NAME)) {
      if (found.index <= offset && offset <= found.index + found[0].length) {
        // The caret is at the nearest letter, however far away that is.
        const word = new Range();
        word.setStart(node, found.index);
        word.setEnd(node, found.index + found[0].length);
        const box = word.getBoundingClientRect();
        if (x >= box.left - 2 && x <= box.right + 2 && y >= box.top && y <= box.bottom) return found[0];
      }
    }
    return "";
  };

  // Only what is certain: a link in the code, or a class or function of the page.
  const define = (name) => {
    const equal = (each) => each.textContent === name;
    const link = [...document.querySelectorAll(".code .line > a:not([id])")].find(equal);
    const made = [...document.querySelectorAll(".code .line > :is(.nc, .nf, .fm)")].find(equal);
    return link?.href ?? made?.closest(".line").querySelector("a[id]").href ?? "";
  };

  const box = (place) => place.getBoundingClientRect();
  const element = (place) => (place instanceof Range ? place.startContainer.parentElement : place);
  const say = () => { count.textContent = words.count.replace("{at}", at + 1).replace("{all}", places.length); };
  const go = (step) => {
    at = (at + step + places.length) % places.length;
    element(places[at]).closest("details:not([open])")?.setAttribute("open", "");
    const middle = box(places[at]).top - innerHeight / 2;
    scrollBy({ top: middle, behavior: "instant" });
    show();
  };
  const show = () => {
    paint("pylit-here", places[at] instanceof Range ? [places[at]] : []);
    for (const here of document.querySelectorAll(".here-lit")) here.classList.remove("here-lit");
    if (places[at] instanceof Element) places[at].classList.add("here-lit");
    say();
  };
  const clear = () => {
    light([], "kept");
    paint("pylit-name", []);
    paint("pylit-here", []);
    for (const here of document.querySelectorAll(".here-lit")) here.classList.remove("here-lit");
    for (const term of document.querySelectorAll("[aria-pressed=true]")) term.removeAttribute("aria-pressed");
    places = [];
    bar.hidden = true;
  };
  const keep = (text, found, start, href) => {
    places = found;
    at = Math.max(start, 0);
    label.textContent = text;
    definition.hidden = !href;
    if (href) definition.href = href;
    bar.hidden = false;
    show();
  };
  const keepTerms = (names, origin) => {
    clear();
    light(names, "kept");
    const found = [...document.querySelectorAll("main .kept")].filter((each) => !each.querySelector(".kept"));
    if (origin.matches("[role=button]")) origin.setAttribute("aria-pressed", "true");
    keep(names.reverse().join(" "), found, found.findIndex((each) => origin === each || origin.contains(each)), "");
  };
  const keepName = (name, near) => {
    clear();
    if (!ranges) collect();
    const found = ranges.get(name) ?? [];
    if (!found.length) return;
    paint("pylit-name", found);
    keep(name, found, found.findIndex(near), define(name));
  };

  for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(on, ({ target }) => {
      const names = termsOf(target);
      if (names.length) light(names, "lit-term");
    });
    document.addEventListener(off, ({ target }) => { if (termsOf(target).length) light([], "lit-term"); });
  }
  document.addEventListener("click", (event) => {
    if (!getSelection().isCollapsed || event.target.closest("a, button, summary")) return;
    const names = termsOf(event.target);
    if (names.length) {
      keepTerms(names, event.target.closest("[data-term]"));
      return;
    }
    if (!event.target.closest(".code .line")) return;
    const name = nameAt(event.clientX, event.clientY);
    const inside = (range) => {
      const place = box(range);
      return place.left - 2 <= event.clientX && event.clientX <= place.right + 2 && place.top <= event.clientY && event.clientY <= place.bottom;
    };
    if (name) keepName(name, inside);
  });
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.name === "close") clear();
    else if (button) go(button.name === "next" ? 1 : -1);
  });

  // From a line's number, the arrows lead to the names of the line.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target;
    if (event.key === "Escape" && !bar.hidden) {
      clear();
    } else if (target.matches?.(".prose span.term") && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      keepTerms(termsOf(target), target);
    } else if (target.matches?.(".line > a[id]") && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
      event.preventDefault();
      if (!ranges) collect();
      const line = target.parentElement;
      const all = [...ranges].flatMap(([name, found]) => found.filter((each) => line.contains(each.startContainer)).map((range) => ({ name, range })))
        .sort((one, other) => one.range.compareBoundaryPoints(Range.START_TO_START, other.range));
      const now = all.findIndex(({ range }) => range === places[at]);
      const next = now < 0 ? (event.key === "ArrowRight" ? 0 : all.length - 1) : now + (event.key === "ArrowRight" ? 1 : -1);
      if (all[next]) keepName(all[next].name, (range) => range === all[next].range);
    }
  });
})();
