"""HTTP: who asks (`access`), what each screen receives (`screens`, filled by `present`), the pages and their forms."""

from companion.web.app import create_app

__all__ = ["create_app"]
