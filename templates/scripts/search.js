// The search: what a reader types is looked up in the index of the page's language. The index and
// what looks through it are loaded when the search is opened for the first time.
(() => {
  const dialog = document.getElementById("pylit-search");
  const opener = document.querySelector("[data-search]");
  if (!dialog || !opener) return;
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const status = dialog.querySelector("[role=status]");
  const SHOWN = 40;
  const words = dialog.dataset;
  // The files that pages share have a folder of their own at the top of the site.
  const root = new URL("../", new URL(words.index, document.baseURI));
  let find = null;
  let loading = null;
  let active = null;

  // A script element is all that works from a disk, where a page may fetch nothing.
  const load = (address) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.onload = done;
    script.onerror = failed;
    script.src = address;
    document.head.append(script);
  });
  const start = () => {
    // The first file says which index is the present one, so no copy of it that was kept will do.
    const index = load(`${words.index}?${Date.now()}`)
      .then(() => load(new URL(pylitIndexFile, new URL(words.index, document.baseURI))));
    loading ??= Promise.all([index, load(words.finder)]).then(
      () => { find = pylitFinder(pylitIndex); show(); },
      () => { loading = null; status.textContent = words.failed; },
    );
  };

  // Text is put in as text. Nothing that is typed or found ever becomes HTML.
  const part = (name, text, className) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const option = (hit, number) => {
    const link = document.createElement("a");
    link.id = `pylit-search-${number}`;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    link.tabIndex = -1;
    const address = new URL(hit.address.split("/").map(encodeURIComponent).join("/"), root);
    if (hit.anchor) address.hash = hit.anchor;
    link.href = address;
    link.append(part("b", hit.label || hit.page));
    if (hit.label && hit.label !== hit.page) link.append(" ", part("small", hit.page));
    const [before, word, after] = hit.excerpt;
    const line = part("span", before);
    line.append(part("mark", word), after);
    if (hit.name) line.prepend(part("code", hit.name), " ");
    link.append(line);
    return link;
  };
  const choose = (link) => {
    active?.setAttribute("aria-selected", "false");
    active = link;
    active?.setAttribute("aria-selected", "true");
    active?.scrollIntoView({ block: "nearest" });
    if (active) input.setAttribute("aria-activedescendant", active.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    if (!find) return;
    const hits = find(input.value);
    choose(null);
    list.replaceChildren(...hits.slice(0, SHOWN).map(option));
    list.scrollTop = 0;
    input.setAttribute("aria-expanded", String(hits.length > 0));
    status.textContent = !input.value.trim() ? ""
      : hits.length ? words.count.replace("{}", hits.length) : words.none;
  };

  opener.addEventListener("click", () => {
    start();
    dialog.showModal();
    input.select();
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const links = [...list.children];
    const at = links.indexOf(active);
    if (event.key === "ArrowDown") choose(links[(at + 1) % links.length] ?? null);
    else if (event.key === "ArrowUp") choose(links.at(Math.max(at, 0) - 1) ?? null);
    else if (event.key === "Enter") (active ?? links[0])?.click();
    else return;
    event.preventDefault();
  });
  // A result on this very page only scrolls, so the dialog would stay before it.
  list.addEventListener("click", (event) => {
    if (event.target.closest("a") && !event.ctrlKey && !event.metaKey) dialog.close();
  });
})();
