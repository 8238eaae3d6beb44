"""The one port that phones are told: listened on, or said to be taken.

It never changes by itself: QR codes, posters and cookies hold it.
"""

from __future__ import annotations

import errno
import re
import socket
import sys
from collections.abc import Iterable
from http.client import HTTPConnection, HTTPException

EVERYWHERE = "0.0.0.0"
_PATIENCE = 2.0  # seconds for a program on this machine to answer


class PortTaken(Exception):
    """Another program listens on the port."""


class PortForbidden(Exception):
    """The system does not let this user listen on the port."""


class NoSuchAddress(Exception):
    """This machine has no such address."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that accepts connections. Raises PortTaken, PortForbidden, NoSuchAddress."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # There SO_REUSEADDR would let two servers share a port, and phones reach either.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from error
        if error.errno == errno.EACCES:
            raise PortForbidden(port) from error
        raise NoSuchAddress(host) from error
    return listener


def running(hosts: Iterable[str], port: int) -> str | None:
    """The version of the companion that answers on the port at one of these addresses; None where none does."""
    return next(filter(None, (_version_at(host, port) for host in hosts)), None)


def _version_at(host: str, port: int) -> str | None:
    connection = HTTPConnection(host, port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/version")
        answer = connection.getresponse().read(100).decode("ascii", "replace")
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    found = re.fullmatch(r"companion (\S+)", answer)
    return found[1] if found else None
