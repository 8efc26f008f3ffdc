"""
---
title: The server for authors
summary: Hands out the site that is in memory, and tells the open pages of each build.
---
# The server for authors

[Builds](live.html) follow each other as the author saves; here is what browsers see of them.

The server is the standard library's: it hands out values from a dictionary to one author, and has
no need of routes, middleware or templates that a web framework would bring. A path is looked up
among the files of the build and never on the disk, so there is nothing to break out of.
"""

import errno
import hashlib
import html
import json
import mimetypes
import os
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from string import Template
from urllib.parse import parse_qs, quote, unquote, urlsplit

from pylit.errors import UsageError
from pylit.live import Live
from pylit.model import Problem
from pylit.places import theme_folder
from pylit.translation_preview import OWN, preview_path

DEFAULT_PORT, LAST_PORT = 8000, 65535
HEARTBEAT = 15.0
"""Seconds after which an idle connection is used, to learn whether anybody is still there."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
TYPES = {
    # The system's own table may not know these, or say otherwise.
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".ipynb": "application/x-ipynb+json",
    ".csv": "text/csv; charset=utf-8",
}


class Server(ThreadingHTTPServer):
    """Hands out the present snapshot."""

    daemon_threads = True
    # On Windows this would let two servers have the same port.
    allow_reuse_address = os.name != "nt"

    def __init__(self, live: Live, host: str, port: int) -> None:
        self.live = live
        self.host = host
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        self.address_family = found[0][0]
        self.only_here = found[0][4][0] in LOOPBACK
        own = theme_folder() / "live"
        self.own_files = {
            OWN + file.name: file.read_bytes() for file in own.iterdir() if file.suffix != ".html"
        }
        self.head = Template((own / "head.html").read_text(encoding="utf-8"))
        self.translate = Template((own / "translate-head.html").read_text(encoding="utf-8"))
        self.empty = (own / "empty.html").read_bytes()
        super().__init__((str(found[0][4][0]), port), Handler)

    def server_bind(self) -> None:
        """Bind without asking the network for our own name, which may take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, self.allow_reuse_address)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.host, int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that went away in the middle of an answer."""

    @property
    def address(self) -> str:
        """Where a browser finds the site."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        if ":" in host and not host.startswith("["):
            host = f"[{host}]"
        return f"http://{host}:{self.server_port}/"


def start(live: Live, host: str, port: int | None) -> Server:
    """
    Make a server. Without a port it takes the usual one, or a free one if that is taken.

    Raises `UsageError` when host or port cannot be had.
    """
    if port is not None and not 0 <= port <= LAST_PORT:
        message = f"{port} is no port; name one up to {LAST_PORT}, or none and one will be found"
        raise UsageError(Problem("pylit serve", 0, 0, message, code="usage"))
    try:
        return Server(live, host, DEFAULT_PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
            return Server(live, host, 0)
        if error.errno == errno.EADDRINUSE:
            message = f"port {port} is taken; name another one, or none and one will be found"
        elif isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            message = f"{host!r} is no address of this machine; leave --host out, or name 0.0.0.0"
        else:
            message = f"port {port} of {host} cannot be had: {error.strerror}; name another one"
        raise UsageError(Problem("pylit serve", 0, 0, message, code="usage")) from None


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """Answer with a file of the site, one of our own, or the news."""
        try:
            path = unquote(urlsplit(self.path).path).lstrip("/")
            name = urlsplit(f"//{self.headers.get('Host', 'localhost')}").hostname
        except ValueError:
            text = b"This is no address that a page could have.\n"
            self.send(HTTPStatus.BAD_REQUEST, text, "text/plain; charset=utf-8")
            return
        if self.refuse_stranger(name):
            return
        if path == f"{OWN}events":
            self.send_news()
        elif path in self.server.own_files:
            self.send(HTTPStatus.OK, self.server.own_files[path], content_type(path))
        else:
            self.send_page(path)

    do_HEAD = do_GET  # noqa: N815 (the name is theirs)

    def refuse(self) -> None:
        """Nothing can be changed here."""
        self.close_connection = True
        self.send(HTTPStatus.METHOD_NOT_ALLOWED, b"", "text/plain", Allow="GET, HEAD")

    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = refuse  # noqa: N815

    def refuse_stranger(self, name: str | None) -> bool:
        """
        Refuse a request for the name of another host, where only this machine is served.

        Otherwise a page from anywhere could have its own name lead here, and read the sources.
        """
        if not self.server.only_here or name in LOOPBACK or name == self.server.host:
            return False
        text = b"This server answers to this machine only; start it with --host to change that.\n"
        self.send(HTTPStatus.FORBIDDEN, text, "text/plain; charset=utf-8")
        return True

    def send_page(self, path: str) -> None:
        """Answer with a file of the present snapshot, once there is one."""
        snapshot = self.server.live.after(0)
        address = f"{path}index.html" if not path or path.endswith("/") else path
        if address not in snapshot.files and f"{path}/index.html" in snapshot.files:
            self.send(HTTPStatus.FOUND, b"", "text/plain", Location=f"/{quote(path)}/")
            return
        status = HTTPStatus.OK if address in snapshot.files else HTTPStatus.NOT_FOUND
        state = snapshot.state(address)
        content = snapshot.files.get(address, snapshot.files.get("404.html", self.server.empty))
        kind = content_type(address if status == HTTPStatus.OK else "404.html")
        if kind.startswith("text/html"):
            content = self.with_script(content, address, state)
            if preview_path(address) in snapshot.files:
                content = self.with_panel(content, address)
        etag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
        if self.headers.get("If-None-Match") == etag and status == HTTPStatus.OK:
            self.send(HTTPStatus.NOT_MODIFIED, b"", kind, ETag=etag)
        else:
            self.send(status, content, kind, ETag=etag)

    def with_script(self, content: bytes, address: str, state: str) -> bytes:
        """Put our script into the head of a page."""
        head = self.server.head.substitute(page=html.escape(address), state=state).encode()
        return into_head(content, head)

    def with_panel(self, content: bytes, address: str) -> bytes:
        """Put the translators' script and style into the head of a page."""
        place = quote(preview_path(address))
        head = self.server.translate.substitute(page=html.escape(address), segments=place)
        return into_head(content, head.encode())

    def send(self, status: HTTPStatus, content: bytes, kind: str, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(content)))
        # A browser may keep a copy, but has to ask each time whether it still holds.
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD" and status != HTTPStatus.NOT_MODIFIED:
            self.wfile.write(content)

    def send_news(self) -> None:
        """Tell an open page its state, now and after each build, for as long as it listens."""
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command == "HEAD":
            return
        address = parse_qs(urlsplit(self.path).query).get("page", [""])[0]
        live, seen = self.server.live, 0
        while not live.closed:
            snapshot = live.after(seen, HEARTBEAT)
            if snapshot.number > seen:
                seen = snapshot.number
                news = {
                    "state": snapshot.state(address),
                    "problems": [as_words(problem) for problem in snapshot.problems],
                }
                self.wfile.write(f"data: {json.dumps(news)}\n\n".encode())
            else:
                self.wfile.write(b":\n\n")
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: an author wants to read about sources, not about requests."""


def into_head(content: bytes, head: bytes) -> bytes:
    """A page with something more at the end of its head."""
    before, closing, behind = content.partition(b"</head>")
    return before + head + closing + behind


def as_words(problem: Problem) -> dict[str, str]:
    """A problem as an open page shows it."""
    place = problem.path
    if problem.line:
        place += f":{problem.line}:{max(problem.column, 1)}"
    return {"place": place, "level": problem.level, "message": problem.message}


def content_type(path: str) -> str:
    """The media type of a file."""
    ending = PurePosixPath(path).suffix.lower()
    return TYPES.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
