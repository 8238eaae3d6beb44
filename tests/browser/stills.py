"""Pages without a server: what a template gave, in a browser, with the program's own style and scripts."""

from __future__ import annotations

from playwright.sync_api import Page, Route

from companion.paths import PACKAGE

SITE = "http://companion.test"


class Stills:
    """One browser page that shows one of them after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._shown = ""
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE).split("?")[0]
        if path.startswith("/static/"):
            route.fulfill(path=PACKAGE / path[1:])
        elif route.request.is_navigation_request():
            route.fulfill(body=self._shown, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=304)

    def show(self, html: str, name: str = "") -> Page:
        """Show this page, at an address of that name."""
        self._shown = html
        self.page.goto(f"{SITE}/{name}", wait_until="load")
        return self.page
