// Where a formula in running text may go on in the next line. MathJax allows it before every sign.
// A reader wants less: a short group in brackets stays whole, and a sign stays with what it is for.
pylit.breaks = (() => {
  const OPENING = new Set('([{⟨⌊⌈⟦⟮');
  const CLOSING = new Set(')]}⟩⌋⌉⟧⟯');
  // After these signs a formula may break; other signs belong to what comes after them.
  const AFTER = /^[)\]}⟩⌋⌉⟧⟯|‖∣∥!′″,;.…⋯⋮⋱]*$/u;
  // So many letters fit on the line of a phone, even in a heading.
  const SHORT = 12;
  const ROWS = new Set(['mjx-math', 'mjx-mrow', 'mjx-TeXAtom', 'mjx-mstyle', 'mjx-mpadded']);

  const text = (node) => node.kind === '#text' ? node.value : (node.children || []).map(text).join('');

  // What stands on the line, from left to right. A bracket with an exponent is still a bracket.
  function* line(node) {
    for (const child of node.children) {
      if (ROWS.has(child.kind)) yield* line(child);
      else if (child.children?.some(({ kind }) => kind === 'mjx-script')) {
        const [base, ...scripts] = child.children;
        if (ROWS.has(base.kind)) yield* line(base);
        else yield { node: base, sign: text(base) };
        // They are half as large, and no sign of the line.
        for (const script of scripts) yield { node: null, sign: '', letters: text(script).length / 2 };
      } else yield { node: child, sign: text(child) };
    }
  }

  // The places to break that are not kept lose their nodes; the space that they hold has moved on.
  function thin(math) {
    const unwanted = new Set();
    const inGroups = new Set();
    const parts = [...line(math)].map(({ letters, ...part }) => (
      { ...part, letters: letters ?? Array.from(part.sign).length }));
    const open = [];
    let before = null;
    for (const { node, sign, letters } of parts) {
      if (node?.kind === 'mjx-break') {
        if (!before || before.kind === 'mjx-mo' && !AFTER.test(text(before))) unwanted.add(node);
        else for (const group of open) group.breaks.push(node);
        continue;
      }
      for (const group of open) group.letters += letters;
      if (OPENING.has(sign)) open.push({ letters: 0, breaks: [] });
      else if (CLOSING.has(sign) && open.length) {
        const group = open.pop();
        if (group.letters <= SHORT) for (const place of group.breaks) inGroups.add(place);
      }
      before = node ?? before;
    }
    // Several groups side by side may be too long together.
    let run = { letters: 0, places: [] };
    for (const { node, letters } of [...parts, { node: null, letters: Infinity }]) {
      if (inGroups.has(node)) run.places.push(node);
      else if (node?.kind !== 'mjx-break' && letters < Infinity) run.letters += letters;
      else if (!unwanted.has(node)) {
        if (run.letters <= SHORT) for (const place of run.places) unwanted.add(place);
        run = { letters: 0, places: [] };
      }
    }
    return unwanted;
  }

  return { thin };
})();
