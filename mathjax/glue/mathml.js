// MathJax's own tree, written as short MathML for screen readers: structure and characters, no looks.
pylit.mathml = (() => {
  // Where the capitals, small letters, digits, Greek capitals and Greek small letters of a style begin.
  const ALPHABETS = {
    'bold': [0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2],
    'italic': [0x1D434, 0x1D44E, 0, 0x1D6E2, 0x1D6FC],
    'bold-italic': [0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736],
    'script': [0x1D49C, 0x1D4B6],
    '-tex-calligraphic': [0x1D49C, 0x1D4B6],
    'bold-script': [0x1D4D0, 0x1D4EA],
    '-tex-bold-calligraphic': [0x1D4D0, 0x1D4EA],
    'fraktur': [0x1D504, 0x1D51E],
    'bold-fraktur': [0x1D56C, 0x1D586],
    'double-struck': [0x1D538, 0x1D552, 0x1D7D8],
    'sans-serif': [0x1D5A0, 0x1D5BA, 0x1D7E2],
    'bold-sans-serif': [0x1D5D4, 0x1D5EE, 0x1D7EC],
    'sans-serif-italic': [0x1D608, 0x1D622, 0x1D7E2],
    'sans-serif-bold-italic': [0x1D63C, 0x1D656, 0x1D7EC],
    'monospace': [0x1D670, 0x1D68A, 0x1D7F6],
  };
  const RANGES = [[0x41, 0x5A], [0x61, 0x7A], [0x30, 0x39], [0x391, 0x3A9], [0x3B1, 0x3C9]];
  // Letters that Unicode had before it got whole alphabets; their places in the alphabets are empty.
  const EARLIER = {
    0x1D455: 'ℎ', 0x1D49D: 'ℬ', 0x1D4A0: 'ℰ', 0x1D4A1: 'ℱ', 0x1D4A3: 'ℋ', 0x1D4A4: 'ℐ', 0x1D4A7: 'ℒ',
    0x1D4A8: 'ℳ', 0x1D4AD: 'ℛ', 0x1D4BA: 'ℯ', 0x1D4BC: 'ℊ', 0x1D4C4: 'ℴ', 0x1D506: 'ℭ', 0x1D50B: 'ℌ',
    0x1D50C: 'ℑ', 0x1D515: 'ℜ', 0x1D51D: 'ℨ', 0x1D53A: 'ℂ', 0x1D53F: 'ℍ', 0x1D545: 'ℕ', 0x1D547: 'ℙ',
    0x1D548: 'ℚ', 0x1D549: 'ℝ', 0x1D551: 'ℤ',
  };
  const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
  const ROWS = new Set(['mrow', 'inferredMrow', 'TeXAtom', 'mstyle', 'mpadded', 'math', 'semantics']);
  const SPACES = new Set(['mspace', 'none', 'maligngroup', 'malignmark']);
  const WHOLE = new Set(['mtd', 'msqrt', 'menclose', 'mphantom', 'mtable', 'mtr', 'math']);
  const KEPT = ['linethickness', 'columnspan', 'rowspan', 'notation', 'accent', 'accentunder'];

  function styled(text, variant) {
    const starts = ALPHABETS[variant];
    if (!starts) return text;
    return Array.from(text, (letter) => {
      const code = letter.codePointAt(0);
      const i = RANGES.findIndex(([first, last]) => code >= first && code <= last);
      if (i < 0 || !starts[i]) return letter;
      const place = starts[i] + code - RANGES[i][0];
      return EARLIER[place] || String.fromCodePoint(place);
    }).join('');
  }

  function token(node) {
    const text = node.childNodes.map((child) => child.getText ? child.getText() : '').join('');
    const variant = node.attributes.get('mathvariant');
    const single = node.kind === 'mi' && Array.from(text).length === 1;
    // One letter is italic by itself and upright when it says so.
    const upright = single && variant === 'normal' ? ' mathvariant="normal"' : '';
    const shown = single && variant === 'italic' ? text : styled(text, variant);
    return `<${node.kind}${upright}>${pylit.html.escape(shown)}</${node.kind}>`;
  }

  // Rows within rows are one row to a reader.
  function collect(node, found = []) {
    for (const child of node.childNodes) {
      if (child && ROWS.has(child.kind)) collect(child, found);
      else if (child) found.push(child);
    }
    return found;
  }

  // `single` is true where the parent tells its children apart by their place, as a fraction does.
  function row(node, single) {
    const parts = collect(node).map((child) => write(child, false)).filter((part) => part);
    return single && parts.length !== 1 ? `<mrow>${parts.join('')}</mrow>` : parts.join('');
  }

  function attributes(node) {
    return KEPT.filter((name) => node.attributes.getExplicit(name) !== undefined).map(
      (name) => ` ${name}="${pylit.html.quote(String(node.attributes.get(name)))}"`).join('');
  }

  function write(node, single) {
    if (TOKENS.has(node.kind)) return token(node);
    if (ROWS.has(node.kind)) return row(node, single);
    if (node.kind === 'mspace' && parseFloat(node.attributes.get('width')) >= 0.9) {
      return '<mspace></mspace>';
    }
    if (SPACES.has(node.kind)) return single ? '<mrow></mrow>' : '';
    const tag = node.kind === 'mlabeledtr' ? 'mtr' : node.kind;
    const children = node.childNodes.map((child) => write(child, !WHOLE.has(tag)));
    if (node.kind === 'mlabeledtr') children.push(children.shift());
    return `<${tag}${attributes(node)}>${children.join('')}</${tag}>`;
  }

  return {
    write: (root, display) => `<math${display ? ' display="block"' : ''}>${row(root, false)}</math>`,
  };
})();
