// MathJax's CHTML tree, written as HTML: only what the style sheet reads, and no colour of its own.
pylit.html = (() => {
  // These are the attributes that a rule of the style sheet can ask for.
  const ATTRIBUTES = new Set([
    'class', 'style', 'data-term', 'aria-hidden', 'display', 'width', 'justify', 'space', 'rspace',
    'size', 'inline-breaks', 'breakable', 'break-top', 'break-align', 'align', 'type', 'delims',
    'atop', 'bevelled', 'limits', 'script-align', 'side', 'rowalign', 'extra', 'noic', 'double',
    'strut',
  ]);
  const STYLES = new RegExp('^(?:-?(?:min-|max-)?(?:width|height)|left|right|top|bottom|position|' +
    'display|transform|clip-path|visibility|vertical-align|text-align|letter-spacing|line-height|' +
    'font-family|font-size|(?:margin|padding|border)(?:-[a-z]+)*)$');
  const VALUE = /^[\w\s.,%()+*\/-]*$/;
  const CLASS = /^(?:mjx-|TEX-)/;
  const PLAIN = /^(?:\.?\d.*|solid|dashed|dotted|double|none|transparent|inherit|currentcolor)$/i;
  // Control characters have no place in HTML, nor in the XML that MathML is read as.
  const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
  const escape = (text) => text.replace(CONTROL, '').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const quote = (text) => escape(text).replace(/"/g, '&quot;');

  // One colour cannot be read on a white page and on a dark one, so a colour becomes a class.
  function colorClass(kind, value, colors) {
    const color = value.toLowerCase();
    const hex = color.match(/^#([0-9a-f]{3}|[0-9a-f]{6})$/);
    if (hex) {
      return `math-${kind}-${hex[1].length === 6 ? hex[1] : hex[1].replace(/./g, '$&$&')}`;
    }
    if (!colors.has(color)) throw pylit.error('UnknownColor', `Unknown colour ${value}`);
    return `math-${kind}-${color}`;
  }

  // Styles are MathJax's measures; whatever else comes in through a formula stops it.
  function styles(node, colors) {
    const kept = [];
    const classes = (node.attributes.class || '').split(' ').filter((name) => CLASS.test(name));
    for (const declaration of (node.attributes.style || '').split(';')) {
      const [, name, value] = declaration.match(/^\s*([\w-]+)\s*:\s*(.*?)\s*$/) || [];
      if (!name || /NaN|Infinity/.test(value)) continue;
      if (name === 'color') classes.push(colorClass('color', value, colors));
      else if (name === 'background-color' && node.kind === 'mjx-mspace') {
        // A rule is ink, not ground: it has the colour of the text around it, or its own.
        if (value !== 'black') classes.push(colorClass('color', value, colors));
        kept.push('background:currentcolor');
      } else if (name === 'background-color') classes.push(colorClass('back', value, colors));
      else if (/^border(?:-(?:top|right|bottom|left))?(?:-color)?$/.test(name)) {
        const words = value.split(/\s+/);
        for (const word of words) {
          if (!PLAIN.test(word)) classes.push(colorClass('border', word, colors));
        }
        const plain = words.filter((word) => PLAIN.test(word));
        // The short form would set the colour as well, over the one of the class.
        if (plain.length < words.length) {
          kept.push(`${name}-width:${plain[0]}`, `${name}-style:${plain[1]}`);
        } else kept.push(`${name}:${plain.join(' ')}`);
      } else if (STYLES.test(name) && VALUE.test(value) && !/url/i.test(value)) {
        kept.push(`${name}:${value.replace(/\b0\.(?=\d)/g, '.').replace(/, /g, ',')}`);
      } else throw pylit.error('Style', `The style ${name}: ${value} is not allowed`);
    }
    if (node.attributes.strut) {
      kept.push(`--strut:${node.attributes.strut}`);
      node.attributes.strut = '';
    }
    node.attributes.class = classes.join(' ');
    node.attributes.style = kept.join(';');
  }

  // A place to break a line keeps its space before the break, where it does not show at a line's end.
  // MathJax puts it into the break with a font of its own, and the line jumps when that font arrives.
  // Of the `unwanted` ones only that space is left.
  function moveBreakSpace({ children }, unwanted) {
    children.forEach((node, i) => {
      if (node.kind !== 'mjx-break' || !(node.attributes.size > 0)) return;
      const before = children[i - 1];
      const after = children[i + 1];
      if (before && before.attributes && !before.attributes.rspace) {
        before.attributes.rspace = node.attributes.size;
      } else if (after && after.attributes) after.attributes.space = node.attributes.size;
    });
    for (const node of children) if (node.kind === 'mjx-break') node.attributes = {};
    return children.filter((node) => !unwanted.has(node));
  }

  // A sign of one letter is a box in a box of the same size, and one of them is enough. What the
  // outer one says of size and space, the letter can say itself; where it says more, it stays.
  const TOKENS = new Set(['mjx-mi', 'mjx-mn', 'mjx-mo', 'mjx-mtext']);
  const SPACING = new Set(['space', 'rspace', 'size']);
  const MARGINS = /^(?:\s*margin-[a-z]+\s*:[^;]*;)*\s*$/;
  function withoutBox(node) {
    if (!TOKENS.has(node.kind) || node.children.length !== 1) return node;
    const [letter] = node.children;
    if (letter.kind !== 'mjx-c') return node;
    const { style = '', ...said } = node.attributes;
    const shown = Object.entries(said).filter(([name, value]) => ATTRIBUTES.has(name) && value !== '');
    if (!MARGINS.test(style) || shown.some(([name]) => !SPACING.has(name))) return node;
    if (shown.some(([name]) => name in letter.attributes)) return node;
    Object.assign(letter.attributes, Object.fromEntries(shown));
    if (style) letter.attributes.style = [style, letter.attributes.style || ''].join(' ').trim();
    return letter;
  }

  // The letters of a word all carry the same strut, so it is said once, at the word.
  function liftStrut(node) {
    const [first] = node.children;
    const strut = first && first.kind === 'mjx-c' && (first.attributes.style || '')
      .match(/^padding-top: ([\d.]+em);$/);
    const same = strut && node.children.every(
      (child) => child.kind === 'mjx-c' && child.attributes.style === first.attributes.style);
    if (!same) return;
    node.attributes.strut = strut[1].replace(/^0\./, '.');
    for (const child of node.children) child.attributes.style = '';
  }

  // "Function of" and "times" as characters are for readers of MathML; no font shows them.
  function isUnseen(node) {
    const [letter] = node.kind === 'mjx-mo' ? node.children : [];
    return Boolean(letter) && /^mjx-c206[1-4]$/.test(letter.attributes && letter.attributes.class) &&
      !node.attributes.space;
  }

  function write(node, colors, unwanted = pylit.breaks.thin(node)) {
    // A tall sign is made of lines; written so, they outlive any tool that indents the page.
    if (node.kind === '#text') return escape(node.value).replace(/\n/g, '&#10;');
    if (node.kind === '#comment') return '';
    if (!node.kind.startsWith('mjx-')) throw pylit.error('Element', 'Only mathematics is allowed');
    node.children = node.children.filter((child) => !isUnseen(child)).map(withoutBox);
    liftStrut(node);
    node.children = moveBreakSpace(node, unwanted);
    styles(node, colors);
    let tag = node.kind;
    for (const [name, value] of Object.entries(node.attributes)) {
      if (!ATTRIBUTES.has(name) || (value === '' && (name === 'class' || name === 'style'))) continue;
      tag += value === '' || value === 'true' && name !== 'aria-hidden'
        ? ` ${name}` : ` ${name}="${quote(String(value))}"`;
    }
    const inner = node.children.map((child) => write(child, colors, unwanted)).join('');
    return `<${tag}>${inner}</${node.kind}>`;
  }

  return { write, escape, quote };
})();
