"""What can go wrong while text is set and cards are laid out, told in the reader's language."""

from __future__ import annotations

from printables.cards import CardDoesNotFit
from printables.fonts import MissingCharacter
from printables.labels import Lang, label
from printables.sheets import DoesNotFitOnPaper, Layout
from printables.text import DoesNotFit


def told(error: Exception, lang: Lang) -> str | None:
    """The words for an error that printing raises; None for any other."""
    if isinstance(error, CardDoesNotFit):
        return label("error_card", lang, card=error.card, text=error.text)
    if isinstance(error, DoesNotFit):
        return label("error_text", lang, text=error.text)
    if isinstance(error, MissingCharacter):
        sign = f"{error.character} (U+{ord(error.character):04X})"
        return label("error_character", lang, sign=sign, text=error.text)
    if isinstance(error, DoesNotFitOnPaper):
        return _paper(error.layout, lang)
    return None


def _paper(layout: Layout, lang: Lang) -> str:
    form, paper = layout.format, layout.paper
    return label(
        "error_fold" if layout.backs == "fold" else "error_paper",
        lang,
        card=f"{form.width:g} × {form.height:g}",
        paper=paper.name,
        sheet=f"{paper.width:g} × {paper.height:g}",
        margin=f"{layout.margin:g}",
        bleed=f"{layout.bleed:g}",
    )
