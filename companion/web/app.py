"""The Flask application: its parts put together, its languages, and what happens when something goes wrong."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, current_app, request
from flask.typing import ResponseReturnValue
from flask_babel import Babel, get_translations
from flask_htmx import HTMX
from werkzeug.exceptions import HTTPException

from companion import storage
from companion.lan import Address
from companion.paths import PACKAGE, templates_folder
from companion.prints import Prints
from companion.rules.inputs import IllegalInput
from companion.tables import Tables
from companion.tables.trouble import PASSING
from companion.web import stream
from companion.web.access import language, locale, site
from companion.web.again import Again
from companion.web.answers import Reason, error_page
from companion.web.faults import print_fault
from companion.web.guessing import Guesses
from companion.web.headers import guard, harden
from companion.web.once import Pieces, remembered
from companion.web.pages import board, claims, drawing, host, hosting, mending, passing, printing, seat, setting_up

htmx = HTMX()

_REASONS: dict[int, Reason] = {403: "forbidden", 429: "too_many", 503: "busy"}


@dataclass
class Site:
    """What the routes share. `addresses` lists where phones may reach this server, best first; `port` is its port.

    `is_local`: this server runs on the laptop at the table, and whoever browses from that laptop may host.
    """

    tables: Tables
    addresses: Callable[[], Sequence[Address]]
    port: int
    is_local: bool = False
    names: Sequence[str] = field(default_factory=tuple)
    guesses: Guesses = field(default_factory=Guesses)
    prints: Prints = field(default_factory=lambda: Prints(time.monotonic, print_fault))


def create_app(site: Site) -> Flask:
    """The application for one server."""
    app = Flask("companion", template_folder=str(templates_folder()), static_folder=str(PACKAGE / "static"))
    app.config.update(MAX_CONTENT_LENGTH=16 * 1024, MAX_FORM_PARTS=64, BABEL_DEFAULT_LOCALE="zh_Hans")
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(PACKAGE / "translations")
    app.extensions["companion"] = site
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Babel(app, locale_selector=locale)
    _speak(app)
    app.jinja_env.globals.update(once=Pieces().once, remembered=remembered)
    htmx.init_app(app)
    app.before_request(guard)
    app.before_request(language)
    app.after_request(harden)
    app.url_defaults(_static_version)
    for part in (board, seat, claims, passing, host, hosting, mending, setting_up, drawing, printing, stream):
        app.register_blueprint(part.pages)
    _catch(app)
    app.wsgi_app = Again(app, app.wsgi_app)  # type: ignore[assignment, method-assign]
    return app


def _speak(app: Flask) -> None:
    """Let templates find the page's catalogue at once: flask-babel looks for it again at each of a page's words."""
    catalogues: dict[str, NullTranslations] = {}

    def spoken() -> NullTranslations:
        wanted = locale()
        if wanted not in catalogues:
            catalogues[wanted] = get_translations()
        return catalogues[wanted]

    def one(text: str) -> str:
        return spoken().gettext(text)

    def many(one: str, more: str, n: int) -> str:
        return spoken().ngettext(one, more, n)

    app.jinja_env.install_gettext_callables(one, many, newstyle=True)  # type: ignore[attr-defined]


def _static_version(endpoint: str, values: dict[str, Any]) -> None:
    """A static file's address changes with its content, so that browsers may keep it."""
    if endpoint == "static" and "filename" in values:
        values["v"] = _digest(Path(current_app.static_folder or "") / values["filename"])


_digests: dict[Path, str] = {}


def _digest(path: Path) -> str:
    if path not in _digests:
        _digests[path] = sha256(path.read_bytes()).hexdigest()[:10]
    return _digests[path]


def _catch(app: Flask) -> None:
    def http(error: HTTPException) -> ResponseReturnValue:
        return error_page(error.code or 500, _REASONS.get(error.code or 0, "not_found"))

    def unavailable(error: storage.StoreUnavailable) -> ResponseReturnValue:
        site().tables.trouble.met(error.reason)
        return error_page(503, "busy") if error.reason in PASSING else error_page(507, "storage")

    def broken(error: Exception) -> ResponseReturnValue:
        # Only the kind of error and where it stood: values in a traceback could name an identity.
        where = error.__traceback__
        while where and where.tb_next:
            where = where.tb_next
        place = f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else "?"
        logging.getLogger("companion").error("%s at %s (%s)", type(error).__name__, place, request.endpoint)
        return error_page(500, "broken")

    def no_table(error: IllegalInput) -> ResponseReturnValue:
        if error.reason != "no_table":
            return broken(error)
        return error_page(404, "no_table")

    app.register_error_handler(HTTPException, http)
    app.register_error_handler(IllegalInput, no_table)
    app.register_error_handler(storage.StoreUnavailable, unavailable)
    app.register_error_handler(Exception, broken)
