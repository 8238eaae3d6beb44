"""HTTP: who asks (`access`), the routes (`pages`), what each screen receives (`screens`) and what fills it (`showing`).

`answers` puts them together, `again` is its short cut for pages that ask for themselves; `serving` is the server.
"""

from companion.web.app import create_app

__all__ = ["create_app"]
