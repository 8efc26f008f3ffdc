// What Python calls: start once with the site's macros, then typeset formula by formula.
(() => {
  const parts = MathJax._;
  const TexError = parts.input.tex.TexError.default;
  const { Configuration } = parts.input.tex.Configuration;
  const { CommandMap } = parts.input.tex.TokenMap;
  const { ColorModel } = parts.input.tex.color.ColorUtil;
  const { TexParser: { default: TexParser } } = parts.input.tex;
  const PACKAGES = [
    'base', 'pylit', 'ams', 'amscd', 'boldsymbol', 'braket', 'cancel', 'cases', 'centernot', 'color',
    'configmacros', 'enclose', 'extpfeil', 'gensymb', 'mathtools', 'textcomp', 'textmacros', 'units',
    'upgreek',
  ];
  // These would define something for the formulas after them, or make an address or a raw element.
  const REFUSED = [
    'DeclareMathOperator', 'DeclarePairedDelimiter', 'DeclarePairedDelimiterX',
    'DeclarePairedDelimiterXPP', 'Newextarrow', 'mathtoolsset', 'newtagform', 'renewtagform',
    'usetagform', 'newcolumntype', 'ref', 'eqref', 'refeq',
  ];
  const USUAL_MACROS = {
    bm: ['\\boldsymbol{#1}', 1],
    mathbbm: ['\\mathbb{#1}', 1],
    mathds: ['\\mathbb{#1}', 1],
  };
  let engine = null;

  pylit.error = (id, message) => new TexError(id, message.replace(/%/g, '%%'));

  function refuse(parser, name) {
    throw pylit.error('Refused', `${name} cannot be used in a page`);
  }

  // A named term of an equation, so that words and code beside it can point at it.
  function term(parser, name) {
    const id = parser.GetArgument(name);
    if (!/^[A-Za-z0-9_-]+$/.test(id)) {
      throw pylit.error('TermName', `The name of a \\term has letters, digits, - and _, not ${id}`);
    }
    const content = parser.ParseArg(name);
    parser.Push(parser.create('node', 'mstyle', [content], { 'data-term': id }));
  }

  new CommandMap('pylit', {
    term,
    ...Object.fromEntries(REFUSED.map((name) => [name, refuse])),
  });
  Configuration.create('pylit', { handler: { macro: ['pylit'] }, priority: 2 });
  Configuration.create('pylit-text', { parser: 'text', handler: { macro: ['pylit'] }, priority: 0 });

  // How much of the TeX was unread when it went wrong tells the line of the fault.
  const parse = TexParser.prototype.Parse;
  TexParser.prototype.Parse = function () {
    try {
      parse.call(this);
    } catch (error) {
      error.unread = this.string.length - this.i;
      throw error;
    }
  };

  pylit.start = (settings) => {
    const { macros, colors } = JSON.parse(settings);
    const adaptor = parts.adaptors.liteAdaptor.liteAdaptor();
    parts.handlers.html_ts.RegisterHTMLHandler(adaptor);
    parts.mathjax.mathjax.asyncIsSynchronous = true;
    const input = new parts.input.tex_ts.TeX({
      packages: PACKAGES,
      macros: { ...USUAL_MACROS, ...macros },
      textmacros: { packages: ['pylit-text', 'text-base'] },
      tags: 'none',
      formatError(jax, error) { throw error; },
    });
    const output = new parts.output.chtml_ts.CHTML({
      fontData: parts.output.fonts['mathjax-tex'].chtml_ts.MathJaxTexFont,
      fontURL: 'fonts',
      adaptiveCSS: false,
    });
    const document = parts.mathjax.mathjax.document('', { InputJax: input, OutputJax: output });
    engine = { adaptor, input, output, document, colors: new Set(colors) };
    return true;
  };

  function convert(tex, display) {
    const { adaptor, input, document, colors } = engine;
    // Nothing that one formula says may be known to the next.
    input.reset();
    input.parseOptions.packageData.set('color', { model: new ColorModel() });
    const item = new document.options.MathItem(tex, input, display);
    item.start.node = adaptor.body(document.document);
    item.setMetrics(16, 8, 1280, 1);
    item.compile(document);
    item.typeset(document);
    const [math] = adaptor.childNodes(item.typesetRoot);
    math.attributes['aria-hidden'] = 'true';
    delete math.attributes.display;
    const inner = pylit.html.write(math, colors);
    const mathml = pylit.mathml.write(item.root, display);
    item.typesetRoot.attributes.class = '';
    item.typesetRoot.children = [];
    const [outer] = pylit.html.write(item.typesetRoot, colors).split('</');
    return { html: `${outer}${inner}${mathml}</mjx-container>` };
  }

  pylit.typeset = (tex, display) => {
    try {
      return convert(tex, display);
    } catch (error) {
      const { id = error.name, message, unread = null } = error;
      return { id, message: message.replace(/\n.*/s, ''), unread };
    }
  };

  // Every rule of the style sheet, one a line: those of all letters, and of all that can stretch.
  pylit.styles = () => {
    const { adaptor, output, document } = engine;
    for (const code of Object.keys(output.font.delimiters)) output.font.delimUsage.add(Number(code));
    return adaptor.textContent(output.styleSheet(document));
  };
})();
