// Styles of what is seen only after a reader does something: menus, dialogs, buttons that copy, what is
// marked. They come with the first such thing; until they are there, what needs them is not seen.
(() => {
  const sheet = document.getElementById("pylit-asked");
  // Without the styles it all works, so a sheet that cannot be had must not hide it for good.
  const done = () => {
    document.documentElement.classList.add("styled");
    document.dispatchEvent(new Event("pylit:styled"));
  };
  if (!sheet.disabled) done();
  sheet.addEventListener("load", done);
  sheet.addEventListener("error", done);
  const ask = () => { sheet.disabled = false; };
  for (const sign of ["pointerover", "keydown", "focusin", "click"]) {
    addEventListener(sign, ask, { once: true, capture: true });
  }
})();
