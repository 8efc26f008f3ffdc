"""
---
title: Addresses elsewhere
summary: Asks other hosts whether the pages that prose links to are still there.
---
# Addresses elsewhere

The only part of pylit that speaks to other hosts, and it does so only if it is told to. Each
address is asked for once, by `HEAD`, which brings no content; a host that does not know `HEAD` is
asked by `GET`. What a host refuses to programs (401, 403, 429) says nothing of what a reader would
see, so it is no fault.
"""

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

TIMEOUT = 10.0
AT_ONCE = 8
AGENT = "pylit (link check)"
NO_HEAD = frozenset({400, 404, 405, 500, 501, 503})
"""What hosts answer that do not know `HEAD`, or not well."""

UNKNOWN = frozenset({401, 403, 407, 429, 451, 503, 999})
"""What hosts answer that will not speak to a program."""


def find_dead(addresses: Iterable[str], timeout: float = TIMEOUT) -> dict[str, str]:
    """The addresses that do not answer, each with the reason, as the end of a sentence."""
    wanted = sorted({address.partition("#")[0] for address in addresses})
    with ThreadPoolExecutor(AT_ONCE) as pool:
        reasons = dict(zip(wanted, pool.map(lambda each: ask(each, timeout), wanted), strict=True))
    return {
        address: reason for address in addresses if (reason := reasons[address.partition("#")[0]])
    }


def ask(address: str, timeout: float) -> str:
    """Ask for one address. Returns what is wrong with it, empty where nothing is."""
    reason = ""
    for method in ("HEAD", "GET"):
        try:
            request = urllib.request.Request(
                address, method=method, headers={"User-Agent": AGENT, "Accept": "*/*"}
            )
            with urllib.request.urlopen(request, timeout=timeout):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            if error.code not in NO_HEAD or method == "GET":
                return "" if error.code in UNKNOWN else f"answers {error.code} {error.reason}"
        except urllib.error.URLError as error:
            return f"does not answer: {error.reason}"
        except TimeoutError:
            return f"does not answer within {timeout:g} seconds"
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = f"does not answer: {error or type(error).__name__}"
    return reason
