"""What translators see beside the pages: where each passage stands, and nothing of it elsewhere."""

import json
import re
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.live import Live, for_preview
from pylit.serve import start
from pylit.settings import Settings
from pylit.settings_file import read_settings
from pylit.site import build
from pylit.translation_preview import OWN, preview_path

MakeSite = Callable[..., Path]
FILES = {
    "pylit.toml": (
        '[[source]]\npath = "src"\n[languages.zh]\ntag = "zh-Hans"\nname = "中文"\n'
        '[languages.si]\nname = "සිංහල"\n'
    ),
    "src/a.md": (
        "---\ntitle: Scores\n---\n# Attention\n\nEach query looks at all keys.\n\n"
        "Show key names <!-- i18n-note: of a dictionary -->\n\n- A machine's work\n- Old words\n\n"
        "Scale by $d$.\n\nBefore\n$$x = 1$$\nand behind it.\n\n"
        '<p data-message="0">By hand.</p>\n'
    ),
    "translations/zh/a.po": (
        'msgid "Scores"\nmsgstr "得分"\n\n'
        'msgid "Each query looks at all keys."\nmsgstr "每个查询都会查看所有键。"\n\n'
        '# pylit: machine\nmsgid "A machine\'s work"\nmsgstr "机器的工作"\n\n'
        '#, fuzzy\nmsgid "Old words"\nmsgstr "旧的词语"\n\n'
        'msgid "Scale by $d$."\nmsgstr "除以 $e$。"\n\n'
        'msgid "Show key names"\nmsgstr ""\n'
    ),
}


def outputs(settings: Settings) -> dict[str, bytes]:
    return {output.path: output.content for output in build(settings).outputs}


def test_each_passage_says_where_it_stands(make_site: MakeSite) -> None:
    settings = read_settings(make_site(FILES) / "pylit.toml")
    files = outputs(for_preview(settings, "http://localhost/", ["zh"]))
    # Only the language that was asked for, and only pages that have something to translate.
    assert [path for path in files if path.startswith(OWN)] == [preview_path("zh/a.html")]
    told = json.loads(files[preview_path("zh/a.html")])
    assert 'lang="zh-Hans"' in told["panel"]
    assert "下一个待翻译段落" in told["panel"]
    catalogue = "translations/zh/a.po"
    found = {each["source"]: each for each in told["segments"]}
    for source, state, place, entry in (
        ("Scores", "translated", "src/a.md:1", f"{catalogue}:1"),
        ("Attention", "empty", "src/a.md:4", catalogue),
        ("Each query looks at all keys.", "translated", "src/a.md:6", f"{catalogue}:4"),
        ("Show key names", "empty", "src/a.md:8", f"{catalogue}:18"),
        ("A machine's work", "machine", "src/a.md:10", f"{catalogue}:8"),
        ("Old words", "fuzzy", "src/a.md:11", f"{catalogue}:12"),
        ("Scale by $d$.", "error", "src/a.md:13", f"{catalogue}:15"),
    ):
        each = found[source]
        assert (each["state"], each["place"], each["entry"]) == (state, place, entry), source
        assert each["listed"] is (entry != catalogue)
    assert found["Show key names"]["note"] == "of a dictionary"
    assert found["Before {math1} and behind it."]["formulas"] == ["$$x = 1$$"]
    assert found["Old words"]["text"] == "旧的词语"
    assert [each["source"] for each in told["segments"] if each["faults"]] == ["Scale by $d$."]
    # The numbers on the blocks are those of the list, whose first is the title.
    page = files["zh/a.html"].decode()
    assert re.search(r'<h1[^>]* data-message="1"[^>]*>Attention', page)
    assert re.search(r'<p data-message="2"[^>]*>每个查询', page)
    assert re.search(r'<li[^>]* data-message="4"[^>]*>A machine', page)


def test_a_built_site_has_nothing_of_it(make_site: MakeSite) -> None:
    """The pages of a preview differ by the numbers of their blocks alone, and others not at all."""
    folder = make_site(FILES)
    settings = read_settings(folder / "pylit.toml")
    before = outputs(settings)
    assert not any(b"data-message" in content for content in before.values())
    assert not any(path.startswith(OWN) for path in before)
    shown = outputs(for_preview(settings, settings.base_url, ["zh", "si"]))
    own = {path: content for path, content in shown.items() if path.startswith(OWN)}
    assert set(own) == {preview_path("zh/a.html"), preview_path("si/a.html")}
    number = re.compile(rb' data-message="\d+"')
    assert {
        path: number.sub(b"", content) for path, content in shown.items() if path not in own
    } == before
    # What the preview left in the cache does not come back into a site that is written.
    assert outputs(settings) == before


def test_the_server_adds_its_script_to_these_pages_only(make_site: MakeSite) -> None:
    settings = read_settings(make_site(FILES) / "pylit.toml")
    live = Live()
    server = start(live, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        files = outputs(for_preview(settings, server.address, ["zh"]))
        live.publish(files, ())
        before = live.snapshot.state("zh/a.html")
        told = preview_path("zh/a.html")
        live.publish({**files, told: files[told] + b" "}, ())
        # Where an entry moved, the page must hear of it.
        assert live.snapshot.state("zh/a.html") != before

        def ask(path: str) -> str:
            with urllib.request.urlopen(server.address + path, timeout=60) as answer:
                return str(answer.read().decode())

        assert f'data-segments="/{told}"' in ask("zh/a.html")
        assert json.loads(ask(told))["segments"]
        assert ask(f"{OWN}translate.js")
        assert ask(f"{OWN}translate.css")
        for address in ("a.html", "si/a.html", "zh/index.html"):
            assert "translate.js" not in ask(address)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lang", "xx"], "the site has no language 'xx'"),
        (["--lang", "en", "--translate"], "nothing is translated here"),
    ],
)
def test_a_language_that_is_not_there(
    make_site: MakeSite,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    config = make_site(FILES) / "pylit.toml"
    assert main(["serve", "--config", str(config), *arguments]) == 2
    assert words in capsys.readouterr().err
