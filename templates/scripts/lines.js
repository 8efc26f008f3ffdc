// Lines of code as addresses: #L40 needs no script; a range, #L40-L52, does.
(() => {
  const line = (number) => document.getElementById("L" + number);
  const number = (link) => Number(link.id.slice(1));
  const linked = ".line > a[id]";
  let start = null;

  const light = (scroll) => {
    for (const lit of document.querySelectorAll(".line.lit")) lit.classList.remove("lit");
    const found = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
    if (!found) return;
    const ends = [Number(found[1]), Number(found[2] || found[1])].sort((a, b) => a - b);
    start ??= Number(found[1]);
    // Browsers open what is folded around one line, not yet around a range.
    for (const at of ends) line(at)?.closest("details")?.setAttribute("open", "");
    for (let at = ends[0]; at <= ends[1] && at - ends[0] < 1e5; at++) {
      line(at)?.parentElement.classList.add("lit");
    }
    if (scroll && found[2]) line(ends[0])?.scrollIntoView({ block: "center" });
  };
  const range = (from, to) => {
    const ends = [from, to].sort((a, b) => a - b);
    history.replaceState(null, "", from === to ? `#L${from}` : `#L${ends[0]}-L${ends[1]}`);
    light(false);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest(linked);
    if (!link) return;
    if (event.shiftKey && start !== null) {
      event.preventDefault();
      range(start, number(link));
    } else {
      start = number(link);
    }
  });

  // Browsers leave a link that is half in sight where it is.
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".line a")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  // Only the first number of a block is a stop of the Tab key, as the arrows lead to the others.
  for (const link of document.querySelectorAll(".line:not(:first-child) > a[id]")) link.tabIndex = -1;
  document.addEventListener("keydown", (event) => {
    const link = event.target.closest?.(linked);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!link || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = [...document.querySelectorAll(linked)];
    const next = all[all.indexOf(link) + step];
    if (!next) return;
    next.closest("details")?.setAttribute("open", "");
    event.preventDefault();
    next.focus();
    if (event.shiftKey) range((start ??= number(link)), number(next));
  });
  document.addEventListener("keyup", (event) => {
    const link = event.target.closest?.(linked);
    if (link && event.key === "Enter") start = number(link);
  });

  // Older browsers print what is folded only if it is open.
  const folds = document.getElementsByClassName("fold");
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...folds].filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
  });

  addEventListener("hashchange", () => light(true));
  light(true);
})();
