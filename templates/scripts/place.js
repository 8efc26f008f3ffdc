// Where the reader is: the outline marks it, and the language switch keeps it.
(() => {
  const outline = document.getElementById("pylit-outline");
  const here = document.querySelector(".contents .here");
  const bar = document.querySelector(".bar");
  const links = outline ? [...outline.querySelectorAll("a")] : [];
  const places = links
    .map((link) => ({ link, target: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    // What stands beside the prose of another section is never where the reader is.
    .filter(({ target }) => target && !target.closest(".more"));
  const label = here?.textContent;
  let current = null;
  let waiting = false;

  const follow = () => {
    waiting = false;
    // At the top of the page its first heading is where the reader is, however near the next ones
    // are; a quarter of a window further down, the line to pass is a quarter down the window.
    const edge = bar.offsetHeight + 24 + Math.min(scrollY, innerHeight / 4);
    let found = scrollY < innerHeight / 4 ? places[0] : null;
    for (const place of places) {
      if (place.target.getBoundingClientRect().top > edge) break;
      found = place;
    }
    if (found === current) return;
    current?.link.removeAttribute("aria-current");
    found?.link.setAttribute("aria-current", "location");
    here.textContent = found ? found.link.textContent : label;
    current = found;
    // Only the outline itself may scroll for this, never the page.
    if (found && outline.scrollHeight > outline.clientHeight) {
      outline.scrollTop = found.link.offsetTop - outline.clientHeight / 2;
    }
  };
  if (places.length) {
    addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(follow);
      waiting = true;
    }, { passive: true });
    follow();
  }

  // A place chosen in the menu closes it.
  outline?.addEventListener("click", ({ target }) => {
    if (target.closest("a") && outline.matches(":popover-open")) outline.hidePopover();
  });

  // A link to a section that is gone leads to the class or function that it was in.
  const retreat = () => {
    let name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    if (/^L\d/.test(name)) return;
    const wanted = name;
    while (name && !document.getElementById(name)) {
      name = /-\d+$/.test(name) ? name.replace(/-\d+$/, "") : name.slice(0, Math.max(0, name.lastIndexOf(".")));
    }
    if (name && name !== wanted) location.replace("#" + encodeURIComponent(name));
  };
  addEventListener("hashchange", retreat);
  retreat();

  // Anchors are the same in all languages. The place is the one in the address, or else the
  // section that is being read.
  document.getElementById("pylit-languages")?.addEventListener("click", ({ target }) => {
    const link = target.closest("a");
    if (!link) return;
    const rows = [...document.querySelectorAll(".row[id]")];
    const edge = parseFloat(getComputedStyle(rows[0] ?? document.body).scrollMarginBlockStart) + 2;
    const row = scrollY > edge && rows.findLast((each) => each.getBoundingClientRect().top < edge);
    link.hash = location.hash || (row ? "#" + row.id : "");
  });
})();
