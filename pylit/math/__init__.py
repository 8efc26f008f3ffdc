"""
---
title: Formulas
summary: Found in prose, typeset when the site is built, and shown without a script.
---
# Formulas

1. [Find](find.html) them in the prose, before Markdown can mistake their signs.
2. [Typeset](typeset.html) each one once, in a JavaScript [engine](engine.html), unless
   the [cache](../cache.html) has it.
3. Give the site the [styles](styles.html) and the parts of the [fonts](fonts.html) that they use.
"""
