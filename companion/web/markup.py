"""The words of a page: sentences as markup, in which names and identities look as they do everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask import current_app
from markupsafe import Markup

from companion.modes import Mode
from companion.rules import facts
from companion.web.access import lang
from companion.web.screens.parts import Camp, Identity, Named
from companion.words import Words


class PageWords(Words):
    """Words for pages. What people typed is escaped wherever it is put into a sentence."""

    def written(self, text: str) -> str:
        return Markup(text)

    def seat(self, number: int) -> str:
        name = self._name(number)
        return _part("name", Named(number, name)) if name else super().seat(number)

    def identity(self, identity: facts.Identity) -> str:
        if not self.mode or identity.role not in self.mode.roles:
            return super().identity(identity)
        return _part("identity", self.shown(identity))

    def shown(self, card: str | facts.Identity) -> Identity:
        """The identity as screens receive it: with its colour, and the camp that it fights for where that is told."""
        assert self.mode is not None
        if isinstance(card, str):
            card = facts.Identity(card, self.mode.roles[card].camp)
        name = self.text(self.mode.roles[card.role].name)
        camp = Camp(card.camp, self.camp(card.camp)) if card.camp else Camp("", "")
        return Identity(card.role, name, camp, self.colour(card.colour) if card.colour else "")


@lru_cache(maxsize=1024)
def _part(macro: str, shown: Named | Identity) -> Markup:
    """What a macro of `_bits.html` makes of it."""
    bits: Any = current_app.jinja_env.get_template("_bits.html").module
    return Markup(getattr(bits, macro)(shown))


def words_for(mode: Mode, names: Mapping[int, str]) -> PageWords:
    """The page's words for a game of the mode, with the names of its seats."""
    return PageWords(lang(), mode, names.get)
