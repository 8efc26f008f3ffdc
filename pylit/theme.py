"""
---
title: From pages to text
summary: The only file that knows Jinja2 and the templates.
---
# From pages to text

The theme lives in `templates/`: templates for pages, styles split by duty, small scripts. A site
may put templates of its own before it. One that is called `page.html` takes the place of ours, and
can keep most of it:

```jinja
{% extends "pylit/page.html" %}
{% block footer %}<p>Made by us.</p>{% endblock %}
```

Interface words are marked with `_()` in the templates, and translated by the catalogues in
`pylit/locale/`, one file for each language.
"""

import hashlib
import posixpath
import re
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from html import unescape
from urllib.parse import urlsplit

import jinja2
import rjsmin
from markupsafe import Markup

from pylit import __version__
from pylit.cache import encoded, key_of
from pylit.catalog import read_catalog
from pylit.errors import PylitError
from pylit.figures import Drawing
from pylit.insertion import MathTemplates
from pylit.math.styles import Assets
from pylit.model import Language, Output, Page, Problem, Token
from pylit.pieces import Pieces
from pylit.places import ASSET_FOLDER, CONTENTS, LOCALE, theme_folder, with_hash
from pylit.pseudo import is_pseudo, pseudo
from pylit.settings import Settings
from pylit.sheets import Inlined, inlined, sheets_of, style_sheets
from pylit.translation_status import PageStatus
from pylit.words import read_words

TAG = re.compile(r"<[^>]*>")
TOKENS = 20_000
"""So many rendered tokens of code are remembered."""


@dataclass(frozen=True, slots=True)
class Site:
    """
    What every template may ask about the site.

    `analytics` is HTML, or empty; `contents` is the address of the list of all pages, or empty.
    """

    title: str
    description: str
    base_url: str
    repository: str
    analytics: str
    languages: tuple[Language, ...]
    source_language: Language
    version: str
    contents: str
    authors: tuple[str, ...]


def authors_of(settings: Settings) -> tuple[str, ...]:
    """The names of those who wrote the site, without the braces of BibTeX."""
    names = re.split(r"\s+and\s+", settings.author) if settings.author else ()
    return tuple(name.translate({ord(sign): None for sign in "{}"}).strip() for name in names)


class Compiled(jinja2.BytecodeCache):
    """
    Templates as Jinja2 compiles them, which takes longer than to render a page.

    All languages share what was compiled, and the cache keeps it for the next build. It is code,
    as in `__pycache__`; Jinja2 itself sees to it that another Python does not run it.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Give Jinja2 what was compiled before."""
        key = key_of(bucket.key, bucket.checksum)
        stored = self.pieces.read("templates", key)
        if key not in self.code and stored:
            self.code[key] = b64decode(stored[0])
        if code := self.code.get(key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep what was compiled."""
        key = key_of(bucket.key, bucket.checksum)
        self.code[key] = bucket.bytecode_to_string()
        if self.pieces.folder:
            self.pieces.take("templates", {key: encoded([b64encode(self.code[key]).decode()])})


class Theme:
    """The templates of a site, loaded once for each language."""

    def __init__(self, settings: Settings, version: str, pieces: Pieces | None = None) -> None:
        self.settings = settings
        self.folders = [theme_folder()]
        if settings.templates:
            self.folders.insert(0, settings.folder / settings.templates)
        analytics = ""
        if settings.analytics:
            analytics = (settings.folder / settings.analytics).read_text(encoding="utf-8")
        self.sites = {
            language.code: Site(
                words.get(settings.title, settings.title),
                words.get(settings.description, settings.description),
                settings.base_url,
                settings.repository,
                analytics,
                settings.all_languages,
                settings.language,
                version,
                CONTENTS if settings.contents else "",
                authors_of(settings),
            )
            for language in settings.all_languages
            for words in (site_words(settings, language),)
        }
        self.compiled = Compiled(pieces or Pieces())
        self.environments = {
            language.code: self.environment(language) for language in settings.all_languages
        }
        self.assets: dict[str, str] = {}
        self.math_font = ""
        self.inlined: Inlined | None = None
        self.digest = theme_digest(settings)

    def environment(self, language: Language) -> jinja2.Environment:
        """The templates with the interface words of one language."""
        default = jinja2.FileSystemLoader(theme_folder())
        environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(
                [
                    jinja2.FileSystemLoader(self.folders),
                    jinja2.PrefixLoader({"pylit": default}),
                ]
            ),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            undefined=jinja2.StrictUndefined,
            extensions=["jinja2.ext.i18n"],
            bytecode_cache=self.compiled,
        )
        environment.filters["letters"] = letters
        words = read_words(language)

        other = partial(pseudo, language.code) if is_pseudo(language) else str

        def gettext(text: str) -> str:
            return words.get(text, (other(text),))[0]

        def ngettext(singular: str, plural: str, number: int) -> str:
            forms = words.get(singular, (other(singular), other(plural)))
            return forms[0] if number == 1 or len(forms) == 1 else forms[-1]

        # The extension adds this method when it is loaded, so a type checker cannot know it.
        install = environment.install_gettext_callables  # type: ignore[attr-defined]
        install(gettext, ngettext, newstyle=True)
        return environment

    def render(self, name: str, language: Language, **context: object) -> str:
        """Render a template. What is wrong in a site's own template is said with file and line."""
        try:
            template = self.environments[language.code].get_template(name)
            return template.render(site=self.sites[language.code], **context)
        except jinja2.TemplateSyntaxError as error:
            raise template_error(error.name or name, error.lineno, str(error.message)) from None
        except jinja2.TemplateNotFound as error:
            raise template_error(name, 0, f"there is no template {error.name}") from None
        # A template is a program of the site's own and can fail in any way; where it did, Jinja2
        # has put into the traceback.
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno or 0
            raise template_error(name, line, f"{type(error).__name__}: {error}") from None

    def load_assets(self, math: Assets) -> list[Output]:
        """
        Make the files that all pages share, and remember their addresses.

        A name holds a hash of the content, so that a browser never shows a page with an old style.
        `math` are the styles and fonts of the formulas of all pages.
        """
        self.math_font = math.baseline
        contents = {
            name: sheet.encode() for name, sheet in style_sheets(self.folders, math.css).items()
        }
        for folder in reversed(self.folders):
            for file in sorted([*folder.glob("scripts/*.js"), *folder.glob("*.svg")]):
                contents[file.name] = file.read_bytes()
                if file.suffix == ".js":
                    contents[file.name] = rjsmin.jsmin(contents[file.name])
        plain = style_sheets(self.folders, "")["style.css"].encode()
        self.inlined = inlined(plain, contents["favicon.svg"])
        outputs: list[Output] = []
        for name, content in contents.items():
            path = f"{ASSET_FOLDER}/{with_hash(name, content)}"
            self.assets[name] = path
            outputs.append(Output(path, content))
        outputs.extend(
            Output(f"{ASSET_FOLDER}/fonts/{name}", content) for name, content in math.fonts.items()
        )
        return outputs

    def search(self, scripts: Mapping[str, bytes]) -> list[Output]:
        """
        The index of each language, by the language's code, and what leads to it.

        The name of an index holds a hash of it. Pages know only the name of a small file that says
        which index is the present one; so a new word changes no page but its own.
        """
        outputs: list[Output] = []
        for code, content in scripts.items():
            name = f"search-{code}.js"
            self.assets[name] = f"{ASSET_FOLDER}/{name}"
            hashed = with_hash(name, content)
            pointer = f'globalThis.pylitIndexFile="{hashed}";\n'.encode()
            outputs.append(Output(self.assets[name], pointer))
            outputs.append(Output(f"{ASSET_FOLDER}/{hashed}", content))
        return outputs

    def sheets(self, page: Page) -> list[str]:
        """The style sheets of a page, besides those of all pages."""
        return sheets_of(page, self.settings.language)

    def page(self, page: Page) -> Output:
        """Render a page."""
        template = {"missing": "missing.html", "contents": "contents.html"}.get(
            page.kind, "page.html"
        )
        root = page.root
        if page.kind == "missing" and self.settings.base_url:
            # A server shows this page at any address, so its links cannot be relative.
            root = urlsplit(self.settings.base_url).path

        def asset(name: str) -> str:
            return root + self.assets[name]

        has_math = any("<mjx-container" in row.prose for row in page.rows)
        math_font = self.math_font if has_math else ""
        more = {"inlined": self.inlined} if page.kind == "missing" else {}
        text = self.render(
            template, page.language, page=page, asset=asset, math_font=math_font,
            sheets=self.sheets(page), **more,
        )  # fmt: skip
        return Output(page.address, text.encode())

    def single(self, page: Page, files: Mapping[str, str]) -> str:
        """Render a page for itself alone; `files` leads from a name to an address that holds it."""
        return self.render(
            "export.html", page.language, page=page, asset=files.__getitem__, math_font="",
            sheets=self.sheets(page),
        )  # fmt: skip

    def translation(self, page: Page, total: PageStatus, rows: Sequence[object]) -> Output:
        """Render the page that says how far a language is, and which pages want help."""

        def asset(name: str) -> str:
            return page.root + self.assets[name]

        text = self.render(
            "translation.html", page.language, page=page, asset=asset, math_font="",
            sheets=self.sheets(page), total=total, rows=rows,
        )  # fmt: skip
        return Output(page.address, text.encode())

    def badge(self, path: str, language: Language, total: PageStatus) -> Output:
        """A small picture that says how far a language is."""
        return Output(path, self.render("badge.xml", language, total=total, me=language).encode())

    def figure(self, drawing: Drawing) -> str:
        """Write a figure as SVG, the same for all languages."""
        return self.render("figures/figure.svg", self.settings.language, drawing=drawing)

    def extra(self, pages: Iterable[Page]) -> list[Output]:
        """The files for search engines; `pages` are those to list."""
        language = self.settings.language
        outputs = [Output("robots.txt", self.render("robots.txt", language).encode())]
        if self.settings.base_url:
            sitemap = self.render("sitemap.xml", language, pages=tuple(pages))
            outputs.append(Output("sitemap.xml", sitemap.encode()))
        # Hosts that run Jekyll would drop files that it does not like; this file stops it.
        outputs.append(Output(".nojekyll", b""))
        return outputs

    def code(self, lines: Sequence[Sequence[Token]]) -> list[Markup]:
        """Render highlighted lines, once for all languages."""
        written = self.code_token
        return [Markup("".join([written(*token) for token in line])) for line in lines]

    @cached_property
    def code_token(self) -> Callable[..., str]:
        """Renders a token. Most come again and again, such as `self`, and are made once."""
        module = self.environments[self.settings.language.code].get_template("code.html").module
        # A template's macros are attributes that only exist at run time.
        return lru_cache(TOKENS)(module.code_token)  # type: ignore[attr-defined]

    def key(self) -> str:
        """A hash of all that the look of a page depends on, besides the page."""
        return self.digest

    @cached_property
    def code_key(self) -> str:
        """What the look of a code line depends on, besides the line."""
        loader = self.environments[self.settings.language.code].loader
        if loader is None:
            return ""
        return loader.get_source(self.environments[self.settings.language.code], "code.html")[0]

    def math(self, language: Language) -> MathTemplates:
        """How formulas are wrapped, with the labels of one language."""
        template = self.environments[language.code].get_template("math.html")
        # See above; the macros use `_()`, which lives in the environment.
        module = template.make_module({})

        def clean(macro: str) -> object:
            function = getattr(module, macro)
            return lambda *values: Markup(str(function(*values)).strip("\n"))

        return MathTemplates(clean("math_inline"), clean("math_display"), clean("math_error"))  # type: ignore[arg-type]


def letters(html: str) -> int:
    """How many signs of a piece of HTML are seen, which tells how much room it takes."""
    return len(unescape(" ".join(TAG.sub("", html).split())))


def theme_digest(settings: Settings) -> str:
    """A hash of all that a theme is made from: settings, templates, words, the site's own words."""
    digest = hashlib.sha256(f"{__version__}\n{settings!r}\n".encode())
    folders = [theme_folder(), LOCALE]
    files = [
        settings.folder / site_catalog_path(settings, language) for language in settings.languages
    ]
    if settings.templates:
        folders.append(settings.folder / settings.templates)
    if settings.analytics:
        files.append(settings.folder / settings.analytics)
    for folder in folders:
        files += sorted(folder.rglob("*"))
    for file in files:
        if file.is_file():
            content = file.read_bytes()
            digest.update(f"{file.as_posix()} {len(content)}\n".encode("utf-8", "surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


def site_words(settings: Settings, language: Language) -> dict[str, str]:
    """The words of the settings in a language, from `translations/<language>/_site.po`."""
    if language == settings.language:
        return {}
    if is_pseudo(language):
        return {
            text: pseudo(language.code, text) for text in (settings.title, settings.description)
        }
    path = site_catalog_path(settings, language)
    catalog = read_catalog(settings.folder / path, path, language)
    found = {text: catalog.find(text) for text in catalog.entries}
    return {text: entry.text for text, entry in found.items() if entry}


def site_catalog_path(settings: Settings, language: Language) -> str:
    """The catalogue of what the settings themselves say."""
    return f"{settings.translations}/{language.code}/_site.po"


def template_error(name: str, line: int, message: str) -> PylitError:
    """A fault in a template, as a problem."""
    return PylitError(Problem(posixpath.basename(name), line, 1, message, code="template"))
