// The live preview: the page is loaded anew when it has changed, keeps its place, and shows what is
// wrong with the site. `pylit serve` adds this script; a published page does not have it.
(() => {
  const own = document.currentScript.dataset;
  const PLACE = "pylit:place";
  const MOST = 100;

  // The row or heading that stands at the top of what is read. Its id outlives an edit, numbers of
  // lines and sections do not.
  const rows = () => [...document.querySelectorAll("main .row[id], main .prose :is(h1, h2, h3, h4)[id]")];
  const top = (element) => element.getBoundingClientRect().top;

  const remember = () => {
    const element = rows().findLast((each) => top(each) < innerHeight / 4);
    const place = { page: own.page, y: scrollY, id: element?.id, top: element && top(element) };
    sessionStorage.setItem(PLACE, JSON.stringify(place));
  };

  const restore = () => {
    const place = JSON.parse(sessionStorage.getItem(PLACE));
    sessionStorage.removeItem(PLACE);
    if (place?.page !== own.page) return;
    let moved = false;
    const settle = () => {
      if (moved) return;
      const element = place.id && document.getElementById(place.id);
      const y = element && place.y > 0 ? scrollY + top(element) - place.top : place.y;
      scrollTo({ top: y, behavior: "instant" });
    };
    // From here on the place is the reader's again.
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
      addEventListener(kind, () => { moved = true; }, { once: true, passive: true });
    }
    history.scrollRestoration = "manual";
    settle();
    addEventListener("load", () => {
      settle();
      history.scrollRestoration = "auto";
      document.documentElement.dataset.pylitSettled = "";
    }, { once: true });
  };

  const overlay = document.createElement("pylit-problems");
  const inside = overlay.attachShadow({ mode: "open" });
  const add = (parent, tag, text, style) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (style) made.className = style;
    parent.append(made);
    return made;
  };
  const show = (problems) => {
    inside.replaceChildren();
    overlay.remove();
    if (!problems.length) return;
    const style = add(inside, "link");
    style.rel = "stylesheet";
    style.href = "/.pylit/overlay.css";
    const box = add(inside, "section");
    box.lang = "en";
    box.dir = "ltr";
    box.setAttribute("role", "status");
    const head = add(box, "header");
    add(head, "strong", `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`);
    const hide = add(head, "button", "Hide");
    hide.type = "button";
    hide.addEventListener("click", () => overlay.remove());
    const list = add(box, "ul");
    for (const { place, level, message } of problems.slice(0, MOST)) {
      const item = add(list, "li", "", level);
      add(item, "code", place);
      add(item, "span", message);
    }
    if (problems.length > MOST) add(list, "li", `and ${problems.length - MOST} more`);
    document.body.append(overlay);
  };

  let shown = "";
  const hear = ({ data }) => {
    const { state, problems } = JSON.parse(data);
    if (state !== own.state) {
      remember();
      location.reload();
      return;
    }
    // What the author has hidden stays hidden until it changes.
    if (JSON.stringify(problems) !== shown) show(problems);
    shown = JSON.stringify(problems);
  };

  // A browser grants one host few connections at a time, so a page that nobody sees keeps none.
  // What it missed, it hears as soon as it asks again.
  let source = null;
  const listen = () => {
    if (source || document.hidden) return;
    source = new EventSource(`/.pylit/events?page=${encodeURIComponent(own.page)}`);
    source.addEventListener("message", hear);
    source.addEventListener("error", () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      rest();
      setTimeout(listen, 1000);
    });
  };
  const rest = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  addEventListener("pagehide", rest);
  addEventListener("pageshow", listen);
  restore();
  listen();
})();
