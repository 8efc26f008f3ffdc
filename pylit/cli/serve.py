"""
---
title: pylit serve
summary: The command that shows a site while it is being written.
---
# `pylit serve`
"""

import argparse
import threading
import time
import webbrowser
from functools import partial

from pylit.cli.common import FINE, Commands, add_site, chosen, config_file, load, show
from pylit.errors import UsageError
from pylit.live import Live, Round, follow, for_preview
from pylit.model import Problem
from pylit.serve import Server, start
from pylit.settings import Settings
from pylit.watch import Watcher


def add(commands: Commands) -> None:
    """Describe the command."""
    serving = commands.add_parser(
        "serve",
        help="show the site while it is being written",
        description="Build the site in memory, show it in a browser, and show each change of the"
        " sources there as soon as it is saved. Nothing is written.",
    )
    add_site(serving)
    serving.add_argument(
        "--host", default="127.0.0.1",
        help="listen here; 0.0.0.0 lets other machines in (default: %(default)s)",
    )  # fmt: skip
    serving.add_argument(
        "--port", type=int, help="listen at this port (default: 8000, or a free one)"
    )
    serving.add_argument("--open", action="store_true", help="open the site in a browser")
    serving.add_argument("--lang", metavar="CODE", help="begin at the front page of this language")
    serving.add_argument(
        "--translate", action="store_true",
        help="outline what can be translated, and show where; of --lang, or of all languages",
    )  # fmt: skip
    serving.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Serve a site until the author stops it."""
    check_languages(options, load(options))
    live = Live()
    server = start(live, options.host, options.port)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    config = config_file(options)
    print(
        f"{front_page(options, server)} shows the site as soon as it is built; Ctrl-C stops it",
        flush=True,
    )
    with Watcher() as watcher:
        try:
            follow(
                live,
                partial(load_preview, options, server),
                config.absolute() if config else None,
                partial(tell, options, server),
                watcher,
            )
        except KeyboardInterrupt:
            print("\nstopped")
        finally:
            live.close()
            server.shutdown()
            server.server_close()
    return FINE


def load_preview(options: argparse.Namespace, server: Server) -> Settings:
    """Read the settings anew, as a preview needs them."""
    settings = load(options)
    return for_preview(settings, server.address, translated_codes(options, settings))


def check_languages(options: argparse.Namespace, settings: Settings) -> None:
    """Refuse a language that the site does not have, and a translation into none."""
    if options.lang:
        chosen(settings, [options.lang])
    if options.translate and not translated_codes(options, settings):
        message = "nothing is translated here; name a language of [languages] with --lang"
        raise UsageError(Problem("pylit serve", 0, 0, message, code="usage"))


def translated_codes(options: argparse.Namespace, settings: Settings) -> list[str]:
    """The languages whose pages are for translators."""
    codes = [language.code for language in settings.languages if options.translate]
    return [code for code in codes if options.lang in (None, code)]


def front_page(options: argparse.Namespace, server: Server) -> str:
    """Where the author begins. The settings have been read once, so the language is known."""
    own = load(options).language.code
    return server.address + (f"{options.lang}/" if options.lang not in (None, own) else "")


def tell(options: argparse.Namespace, server: Server, made: Round) -> None:
    """Say what was built, why, and what is wrong."""
    show(made.problems)
    pages = sum(path.endswith(".html") for path in made.changed)
    counted = f"{pages} page{'s' * (pages != 1)}"
    clock = time.strftime("%H:%M:%S")
    if made.number == 1:
        print(f"{clock} {counted} built ({made.seconds:.1f} s)", flush=True)
        if options.open:
            webbrowser.open(front_page(options, server))
        return
    cause = ", ".join(made.sources[:3])
    if len(made.sources) > 3:
        cause += f" and {len(made.sources) - 3} more"
    print(f"{clock} {cause}: {counted} changed ({made.seconds:.1f} s)", flush=True)
