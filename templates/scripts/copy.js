// Copying: code without its numbers, the address of a section, a formula as TeX. Beside the button for
// code, a link to the editor of the forge, at the line that is lit or else at the first one.
(() => {
  const words = document.getElementById("pylit-help")?.dataset;
  const status = document.getElementById("pylit-status");
  if (!words) return;
  let timer;

  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch { return; }
    status.textContent = words.copied;
    clearTimeout(timer);
    timer = setTimeout(() => { status.textContent = ""; }, 2000);
  };
  const code = (block) => [...block.querySelectorAll(".line")]
    .map((line) => [...line.childNodes].slice(1).filter((node) => node.className !== "shapes").map((node) => node.textContent).join(""))
    .join("");
  // A section that continues another one shares its block of code.
  const cell = (row) => row.closest(".code") || row.querySelector(".code");
  const address = (row) => location.href.replace(/#.*/, "") + "#" + row.id;

  // One button of each sort serves the whole page: it moves to where the pointer or the focus is.
  const button = (label, sort, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "copy copy-" + sort;
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => act(made));
    return made;
  };
  const forCode = button(words.copyCode, "code", (it) => copy(code(it.closest(".code"))));
  const forLink = button(words.copyLink, "link", (it) => copy(address(it.closest(".row"))));
  const forTex = button(words.copyTex, "tex", (it) => copy(it.previousElementSibling.dataset.tex));

  const forCitation = button(words.copyCode, "citation", (it) => copy(it.parentElement.querySelector("code").textContent));

  const whole = document.querySelector("[data-edit]");
  const edit = document.createElement("a");
  edit.className = "copy copy-edit";

  let last = null;
  const place = ({ target }) => {
    last = target;
    if (!document.documentElement.classList.contains("styled")) return;
    const citation = target.closest?.(".cite pre");
    if (citation && forCitation.parentElement !== citation) citation.prepend(forCitation);
    const row = target.closest?.(".row");
    if (!row) return;
    const block = cell(row);
    const mark = row.querySelector(".mark");
    const formula = target.closest(".math.display");
    const move = (it, after) => {
      if (after && it !== document.activeElement && it.previousElementSibling !== after) after.after(it);
    };
    if (block?.firstElementChild && forCode.parentElement !== block && forCode !== document.activeElement) block.prepend(forCode);
    const line = row.querySelector(".line.lit > a") ?? row.querySelector(".line > a");
    if (whole && line && forCode.parentElement === block) {
      move(edit, forCode);
      if (edit.parentElement === block) {
        edit.href = whole.dataset.edit.replace("{line}", line.id.slice(1));
        edit.title = `${whole.textContent} ${line.id}`;
        edit.setAttribute("aria-label", edit.title);
      }
    }
    move(forLink, mark?.querySelector("a"));
    move(forTex, formula);
  };
  if (navigator.clipboard) {
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, place);
    document.addEventListener("pylit:styled", () => last && place({ target: last }));
  }

  // A formula in a selection is worth more as the text it was made from.
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (selection.isCollapsed) return;
    const formula = (node) => (node.closest ? node : node.parentElement)?.closest("[data-tex]");
    const write = (it) => (it.classList.contains("display") ? `$$${it.dataset.tex}$$` : `$${it.dataset.tex}$`);
    const range = selection.getRangeAt(0).cloneRange();
    const first = formula(range.startContainer);
    const last = formula(range.endContainer);
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const part = range.cloneContents();
    const formulas = part.querySelectorAll("[data-tex]");
    if (!formulas.length) return;
    for (const each of formulas) each.replaceWith(write(each));
    const holder = document.createElement("div");
    holder.append(part);
    holder.className = "offscreen";
    document.body.append(holder);
    const text = holder.innerText;
    holder.remove();
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  });

  document.addEventListener("pylit:copy", ({ target }) => {
    const block = cell(target);
    if (block) copy(code(block));
  });
})();
