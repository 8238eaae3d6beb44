"""Who may ask an evening something, and everything that can be asked: each route and method, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from companion.rules.facts import TABLE
from companion.tables import Phase
from tests.web.evening import ORIGIN, PORT, the_app

# What there is


def routes() -> set[tuple[str, str]]:
    """Every route of the application, with each of its methods."""
    return {
        (rule.rule, method)
        for rule in the_app().url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


# Who asks


@dataclass(frozen=True)
class Visitor:
    """A browser: its cookies for each table's code, the seat that it sees the game from, what it may do."""

    name: str
    cookies: Mapping[str, str] = field(default_factory=dict)
    viewer: int = TABLE
    is_host: bool = False
    address: str = "192.168.1.31"

    @property
    def may_record(self) -> bool:
        return self.is_host or self.viewer != TABLE or self.name == "table screen"


def token(whose: str) -> str:
    """A token as the server makes them, but one that can be read."""
    return whose.ljust(32, "-")


def visitors(code: str, other: str, players: int) -> list[Visitor]:
    """Every kind of visitor of the table `code`; the host may have a seat (2) or none. `other` is another table.

    Whoever was signed out lost seat 1 to another phone. The moderator is the host's browser that may see everything.
    """
    seat, host = f"seat-{code}-{PORT}", {f"host-{code}-{PORT}": "the-host"}
    elsewhere = {f"seat-{other}-{PORT}": token("elsewhere"), f"host-{other}-{PORT}": "the-other-host"}
    strange = {seat: token("elsewhere"), f"host-{code}-{PORT}": "the-other-host"}
    return [
        Visitor("guest"),
        Visitor("guest of another table", {**elsewhere, **strange}),
        Visitor("spectator", {seat: token("nobody"), "name": "%E6%97%81"}),
        Visitor("removed", {seat: token("removed")}),
        Visitor("asking", {seat: token("asking")}),
        Visitor("signed out", {seat: token("signed-out")}),
        Visitor("table screen", {f"host-{code}-{PORT}": "the-screen"}),
        Visitor("host", host, is_host=True, address="127.0.0.1"),
        *(Visitor(f"seat {n}", {seat: token(f"seat-{n}")}, n) for n in range(1, players + 1)),
        Visitor("host in seat 2", {seat: token("seat-2"), **host}, 2, is_host=True),
        Visitor("moderator", {**host, f"browser-{code}-{PORT}": token("the-moderator")}, is_host=True),
    ]


# What is asked


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    form: Mapping[str, object] | None = None
    headers: Mapping[str, str] = ORIGIN


class Moment(NamedTuple):
    """What a request may depend on: all of it is public. `odd` is a seat at random, `step` a line of the log."""

    code: str
    phase: Phase
    mode: str
    back: str
    odd: int
    step: int = 1


Variant = Callable[[Moment, Visitor], Asked | None]
"""How a route is called; None where that would change what the pair of worlds is about."""


def nobody(*_: object) -> bool:
    return False


def got(path: str, spared: Callable[[Moment, Visitor], bool] = nobody) -> Variant:
    return lambda moment, visitor: None if spared(moment, visitor) else Asked("GET", path.format(moment.code))


def posted(path: str, spared: Callable[[Moment, Visitor], bool] = nobody, **form: object) -> Variant:
    """A form sent to the table; `spared` where it is left out."""

    def ask(moment: Moment, visitor: Visitor) -> Asked | None:
        if spared(moment, visitor):
            return None
        filled = {"back": moment.back, "key": f"key {moment.odd}", **form}
        return Asked("POST", f"/t/{moment.code}{path}", {k: str(v).format(*moment) for k, v in filled.items()})

    return ask


def hosts(*phases: Phase) -> Callable[[Moment, Visitor], bool]:
    """Not from the host in these phases: it would end the game, or deal another."""
    return lambda moment, visitor: visitor.is_host and moment.phase in phases


def unseated_hosts(moment: Moment, visitor: Visitor) -> bool:
    """Not from a host without a seat while a game runs: it would be shown everything."""
    return visitor.is_host and visitor.viewer == TABLE and moment.phase == "play"


def is_moderator(_: Moment, visitor: Visitor) -> bool:
    """Not by whoever may see everything, and sees it there."""
    return visitor.name == "moderator"


def asked_line(how: str, by_death: bool, **fields: str) -> Variant:
    """A line of the log, and what a change of it would mean: another death in its place, or another turn."""

    def ask(moment: Moment, _: Visitor) -> Asked:
        verb = {"verb": "death", "by": str(moment.odd % 3 + 1)} if by_death else {"verb": "turn"}
        asked = {"step": moment.step, "how": how, "who": moment.odd, **verb, **fields}
        return Asked("GET", f"/t/{moment.code}/host/line?{urlencode(asked)}")

    return ask


def sits_between_games(moment: Moment, visitor: Visitor) -> bool:
    """Not from a person with a seat where that would empty it."""
    return moment.phase != "play" and visitor.viewer != TABLE


def not_in_play(moment: Moment, _: Visitor) -> bool:
    return moment.phase != "play"


CALLS: Mapping[tuple[str, str], tuple[Variant, ...]] = {
    ("/", "GET"): (got("/"),),
    ("/", "POST"): (lambda moment, _: Asked("POST", "/", {}),),
    ("/version", "GET"): (got("/version"),),
    ("/t/<code>/resume", "POST"): (posted("/resume"),),
    ("/j/<code>", "GET"): (got("/j/{}"),),
    ("/J/<code>", "GET"): (got("/J/{}"),),
    ("/C/<card>", "GET"): (got("/C/0AB1CX"), got("/C/nothing")),
    ("/c/<card>", "GET"): (got("/c/0ab1cx"),),
    ("/C", "POST"): (lambda moment, _: Asked("POST", "/C", {"table": moment.code, "card": "0AB1CX"}),),
    ("/print", "GET"): (got("/print"), got("/print?what=tents")),
    ("/print", "POST"): (
        lambda moment, _: Asked("POST", "/print", {"what": "cards", "mode": moment.mode, "players": "99"}),
        lambda moment, _: Asked("POST", "/print", {"what": "sheet", "mode": moment.mode}),
    ),
    ("/t/<code>/print", "GET"): (got("/t/{}/print"),),
    ("/t/<code>/print", "POST"): (posted("/print", what="tents", names=""), posted("/print", what="poster")),
    ("/print/<job>", "GET"): (got("/print/none"),),
    ("/print/<job>/<name>", "GET"): (got("/print/none/cards.pdf"),),
    ("/static/<path:filename>", "GET"): (got("/static/companion.css"), got("/static/none.css")),
    ("/t/<code>", "GET"): (got("/t/{}"),),
    ("/t/<code>/seat", "GET"): (got("/t/{}/seat"), got("/t/{}/seat?lang=en")),
    ("/t/<code>/record.txt", "GET"): (got("/t/{}/record.txt"),),
    ("/t/<code>/stream", "GET"): (got("/t/{}/stream?of=seat"),),
    ("/t/<code>/join", "GET"): (got("/t/{}/join"),),
    ("/t/<code>/join", "POST"): (posted("/join", name=""), posted("/join", not_in_play, name="过路人")),
    ("/t/<code>/leave", "POST"): (posted("/leave", sits_between_games),),
    ("/t/<code>/claim", "GET"): (got("/t/{}/claim"), got("/t/{}/claim?lang=en")),
    ("/t/<code>/claim", "POST"): (
        posted("/claim", person="{4}"),
        posted("/claim", person="{4}", name="接"),
        posted("/claim", person=999),
        posted("/claim", person="{4}", name=" "),
    ),
    ("/t/<code>/claim/drop", "POST"): (posted("/claim/drop"),),
    ("/t/<code>/host/approve", "POST"): (posted("/host/approve", claim=999),),
    ("/t/<code>/host/refuse", "POST"): (posted("/host/refuse", claim="{4}"),),
    ("/t/<code>/host/offer", "POST"): (posted("/host/offer"),),
    ("/t/<code>/hosting/<token>", "GET"): (got("/t/{}/hosting/nothing"),),
    ("/t/<code>/hosting", "POST"): (posted("/hosting", token="nothing"),),
    ("/t/<code>/add", "POST"): (posted("/add", name=""), posted("/add", not_in_play, name="没手机")),
    ("/t/<code>/pass", "GET"): (got("/t/{}/pass"),),
    ("/t/<code>/pass", "POST"): (posted("/pass", person="{4}"), posted("/pass", person=999)),
    ("/t/<code>/pass/use", "POST"): (
        posted("/pass/use", person="{4}", verb="use", who="{4}", skill="inspect", on=1),
        posted("/pass/use", person=999, verb="use", who="{4}", skill="guard"),
    ),
    ("/t/<code>/pass/card", "POST"): (posted("/pass/card", person="{4}", card="0AB1CX"),),
    ("/t/<code>/pass/card/back", "POST"): (posted("/pass/card/back", person="{4}"),),
    ("/t/<code>/card", "POST"): (posted("/card", card="0AB1CX"), posted("/card", card="nothing")),
    ("/t/<code>/card/back", "POST"): (posted("/card/back", not_in_play),),
    ("/t/<code>/record", "POST"): (
        posted("/record", input="turn 99"),
        posted("/record", input="death 1 by 99"),
        posted("/record", verb="death", who="{4}", by=99),
        posted("/record", verb="saved", who="{4}", n=0),
        posted("/record", nobody, verb="saved", who="{4}", **{"rescuer-1": "{4}", "rescuer-2": "99"}),
        posted("/record", input="answer {4} perhaps"),
        posted("/record", input="deal lord rebel"),
        posted("/record", input="use {4} inspect 2"),
        posted("/record", hosts("play"), verb="use", who="{4}", skill="guard"),
        posted("/record", verb="touch", who="{4}", by="-"),
        posted("/record", input="<b>{4}</b>"),
        posted("/record", hosts("play", "lobby"), input="end"),
        posted("/record", input="correct {4} luck 1"),
        posted("/record", verb="correct", who="{4}", what="luck", n="1"),
        posted("/record", verb="dying", who=99, by="{4}"),
        posted("/record", verb="provinces", who="{4}", n="-99"),
        posted("/record", verb="limit", who="{4}", n="-99"),
        posted("/record", nobody, verb="deaths", **{"by-1": "99"}),
        posted("/record", nobody, verb="deaths", **{"by-99": "{4}"}),
    ),
    ("/t/<code>/withdraw", "POST"): (posted("/withdraw", draft="no such draft"),),
    ("/t/<code>/done", "POST"): (posted("/done", announcement="99-0"),),
    ("/t/<code>/place", "POST"): (posted("/place", person=999), posted("/place", not_in_play)),
    ("/t/<code>/look", "POST"): (posted("/look"),),
    ("/t/<code>/hero", "POST"): (posted("/hero", name=""), posted("/hero", name="武将{4}"), posted("/hero", hp=99)),
    ("/t/<code>/again", "POST"): (posted("/again", hosts("lobby", "end")),),
    ("/t/<code>/host", "GET"): (got("/t/{}/host"),),
    ("/t/<code>/host/settings", "POST"): (
        posted("/host/settings", mode="no such mode"),
        posted("/host/settings", mode="{2}", pause=99),
    ),
    ("/t/<code>/host/composition", "POST"): (
        posted("/host/composition", count="no such card 1"),
        posted("/host/composition", count="lord:red 99"),
        posted("/host/composition", preset="basic"),
        posted("/host/composition", hosts("lobby", "end"), preset="random"),
    ),
    ("/t/<code>/host/wifi", "POST"): (
        posted("/host/wifi", network="net {4}", password="password", kind="wpa"),
        posted("/host/wifi", network="net", password="short", kind="wpa"),
    ),
    ("/t/<code>/host/address", "POST"): (posted("/host/address", address="10.9.8.7"),),
    ("/t/<code>/host/move", "POST"): (posted("/host/move", person=999, to="up"),),
    ("/t/<code>/host/places", "POST"): (
        posted("/host/places", hosts("lobby", "end"), do="ask"),
        posted("/host/places", hosts("lobby", "end"), do="set"),
        posted("/host/places", hosts("lobby", "end"), do="stop"),
    ),
    ("/t/<code>/host/remove", "POST"): (posted("/host/remove", person=999),),
    ("/t/<code>/host/dealing", "POST"): (posted("/host/dealing", hosts("lobby", "end"), by="cards"),),
    ("/t/<code>/host/collect", "POST"): (posted("/host/collect", hosts("lobby", "end")),),
    ("/t/<code>/host/deal", "POST"): (posted("/host/deal", hosts("lobby", "end")),),
    ("/t/<code>/host/undo", "POST"): (posted("/host/undo", step=99),),
    ("/t/<code>/host/line", "GET"): (
        *(asked_line(how, entered) for entered in (True, False) for how in ("", "change", "strike", "undo")),
        asked_line("change", True, input="turn 99"),
        got("/t/{}/host/line?step=99"),
        got("/t/{}/host/line?step=1&how=undo"),
    ),
    ("/t/<code>/host/change", "POST"): (
        posted("/host/change", step=99, line="turn 1", seen=0),
        posted("/host/change", step=2, line="", seen="{4}"),
    ),
    ("/t/<code>/host/pause", "POST"): (posted("/host/pause", hosts("play"), on="1"), posted("/host/pause", on="0")),
    ("/t/<code>/host/everything", "POST"): (posted("/host/everything", unseated_hosts),),
    ("/t/<code>/host/everything", "GET"): (got("/t/{}/host/everything", is_moderator),),
    ("/t/<code>/host/record.txt", "GET"): (got("/t/{}/host/record.txt", is_moderator),),
    ("/t/<code>/host/end", "POST"): (posted("/host/end", hosts("play")),),
}
"""Every route and method of the application, and how it is called; a new one has to take its place here."""

ASTRAY: tuple[Variant, ...] = (
    got("/nowhere"),
    got("/t/ZZZZ/seat"),
    got("/t/{}/nowhere"),
    got("/t/{}/record"),
    lambda moment, _: Asked("POST", f"/t/{moment.code}/record", {"input": "turn 1"}, {}),
    lambda moment, _: Asked("GET", f"/t/{moment.code}", None, {"Host": "evil.example"}),
    lambda moment, _: Asked("POST", f"/t/{moment.code}/record", {"input": "x" * 20_000}),
    lambda moment, _: Asked("HEAD", f"/t/{moment.code}/seat"),
    lambda moment, _: Asked("HEAD", f"/t/{moment.code}/stream"),
    lambda moment, _: Asked("OPTIONS", f"/t/{moment.code}/record"),
)
"""Requests that no page makes."""

WATCHED: tuple[Variant, ...] = tuple(
    CALLS[rule, "GET"][0] for rule in ("/t/<code>", "/t/<code>/seat", "/t/<code>/seat", "/t/<code>/record.txt")
)
"""What is looked at most: every secret would have to come through here."""
