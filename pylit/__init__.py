"""
---
title: pylit, annotated Python as side-by-side pages
summary: The source of the generator, rendered by itself; start here to read it.
---
# pylit

`pylit` turns annotated Python into a static site: prose on the left, code with its true line
numbers on the right, in as many languages as there are translators. These pages are its own source.

Read them along the pipeline:

1. [The values](model.html) that flow from stage to stage, and the [errors](errors.html).
2. [Settings](settings.html), read [from a file](settings_file.html), say what is published; [which
   files](walk.html) that is decides a walk over folders, and [the sources](source.html) are read.
3. [Parsing](parse.html) splits a file into sections, after [docstrings and
   comments](docstring.html) were told apart, and [those of other styles](docstring_styles.html)
   made Markdown; each is [called by what it holds](anchors.html). [Markdown
   pages](markdown_page.html) are one section.
4. [Formulas are found](math/find.html) before Markdown can mistake them, and
   [typeset](math/typeset.html) by MathJax.
5. [Prose](prose.html) becomes HTML, block by block, with the [translation](catalog.html) of each
   block put in on the way; [links](links.html) are resolved and HTML is [cleaned](sanitize.html).
6. [Code](code.html) is highlighted as a whole and cut by line, and names in it [lead to their
   definitions](references.html).
7. [A page](page.html) is put together from its [draft](page_draft.html), the [theme](theme.html)
   makes it text, and [search](search.html) finds it.
8. [Evidence](evidence.html) of a module at work is [recorded](evidence_run.html) by its author and
   shown by the page, which also offers itself as a [notebook](notebook.html).
9. [The pipeline](site.html) knows the order of all this, [writing](output.html) comes last, and the
   [command line](cli/index.html) is the only file that prints.
10. Around it stand what authors use: [settings for a first site](new.html), the
    [server](serve.html) that [watches](watch.html) and [rebuilds](live.html), the
    [checks](check.html) and [how they are told](report.html), and [one page in one
    file](export.html).
"""

__version__ = "0.1.0"
