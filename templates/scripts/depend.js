// In a picture of what imports what, the arrows of the box that is pointed at, or has the focus.
(() => {
  for (const picture of document.querySelectorAll(".picture svg")) {
    const boxes = [...picture.querySelectorAll("a")];
    const arrows = [...picture.querySelectorAll(".arrow")];
    const light = (box) => {
      const number = String(boxes.indexOf(box));
      for (const arrow of arrows) arrow.classList.toggle("lit", arrow.dataset.ends.split(" ").includes(number));
    };
    for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      picture.addEventListener(on, ({ target }) => light(target.closest("a")));
      picture.addEventListener(off, () => light(null));
    }
  }
})();
