// In a picture of what imports what, the arrows of the box that is pointed at, or has the focus.
(() => {
  const light = (box) => {
    const picture = box.closest("svg");
    const number = String([...picture.querySelectorAll("a")].indexOf(box));
    for (const arrow of picture.querySelectorAll(".arrow")) {
      arrow.classList.toggle("lit", arrow.dataset.ends.split(" ").includes(number));
    }
  };
  const clear = () => {
    for (const lit of document.querySelectorAll(".arrow.lit")) lit.classList.remove("lit");
  };
  // A drawing that listened for the focus itself would become a stop of the Tab key.
  for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(on, ({ target }) => {
      const box = target.closest?.(".picture a");
      if (!box) return;
      light(box);
      // Browsers leave a box that is half in sight where it is.
      if (on === "focusin") box.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    document.addEventListener(off, clear);
  }
})();
