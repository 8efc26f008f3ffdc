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

from pylit.cli.common import FINE, Commands, add_site, config_file, load, show
from pylit.serve import Live, Round, Server, follow, for_preview, start
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
    serving.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Serve a site until the author stops it."""
    load(options)
    live = Live()
    server = start(live, options.host, options.port)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    config = config_file(options)
    print(f"{server.address} shows the site as soon as it is built; Ctrl-C stops it", flush=True)
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
    return for_preview(load(options), server.address)


def tell(options: argparse.Namespace, server: Server, made: Round) -> None:
    """Say what was built, why, and what is wrong."""
    show(made.problems)
    pages = sum(path.endswith(".html") for path in made.changed)
    counted = f"{pages} page{'s' * (pages != 1)}"
    clock = time.strftime("%H:%M:%S")
    if made.number == 1:
        print(f"{clock} {counted} built ({made.seconds:.1f} s)", flush=True)
        if options.open:
            webbrowser.open(server.address)
        return
    cause = ", ".join(made.sources[:3])
    if len(made.sources) > 3:
        cause += f" and {len(made.sources) - 3} more"
    print(f"{clock} {cause}: {counted} changed ({made.seconds:.1f} s)", flush=True)
