"""The `companion` command. What a subcommand needs is imported when it runs: help waits for nothing."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion import cli_print

if TYPE_CHECKING:
    from companion.doctor import Finding
    from companion.modes import Mode
    from companion.rules.inputs import IllegalInput
    from companion.rules.record import Game
    from companion.words import Lang, Words

LEAST_PYTHON = (3, 11)
_OLD_PYTHON = {
    "zh-Hans": "需要 Python {least} 或更新的版本，现在是 {own}。请先装新版的 Python，再重新安装本程序。",
    "zh-Hant": "需要 Python {least} 或更新的版本，現在是 {own}。請先裝新版的 Python，再重新安裝本程式。",
    "en": "Python {least} or newer is needed, and this is {own}. Install a newer Python, then this program again.",
}
"""The one sentence that an old Python has to say: it cannot even read the catalogues' module."""

LANGS = ("zh-Hans", "zh-Hant", "en")
_TRADITIONAL = {"tw", "hk", "mo", "hant", "traditional"}
_UNPRINTABLE = dict.fromkeys(
    [*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)


def language_of(locale: str) -> Lang:
    """The interface's language for a locale such as `zh_TW.UTF-8` or `Chinese (Traditional)_Taiwan`."""
    parts = re.split(r"[^a-z]+", locale.lower())
    if parts[0] not in ("zh", "chinese"):
        return "en"
    return "zh-Hant" if _TRADITIONAL & set(parts) else "zh-Hans"


def _language(_: click.Context, __: click.Parameter, chosen: Lang | None) -> Lang:
    return chosen or _spoken_here()


def _spoken_here() -> Lang:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return language_of(os.environ[name])
    import locale

    return language_of(locale.getlocale()[0] or "")


def _viewer(_: click.Context, __: click.Parameter, value: str | None) -> int:
    from companion.rules.facts import HOST, TABLE
    from companion.rules.inputs import MOST

    if value in (None, "host"):
        return HOST
    if value == "table":
        return TABLE
    seat = re.fullmatch(r"seat:([0-9]{1,2})", value or "")
    if not seat or not 1 <= int(seat[1]) <= MOST:
        raise click.BadParameter("say seat:N, table or host.")
    return int(seat[1])


language = click.option(
    "--lang",
    type=click.Choice(LANGS, case_sensitive=False),
    callback=_language,
    is_eager=True,
    metavar="|".join(LANGS),
    help="Language of sentences. Default: the environment's, else English.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """A companion for identity games at a real table."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.version_info < LEAST_PYTHON:
        least, own = (".".join(map(str, version[:2])) for version in (LEAST_PYTHON, sys.version_info))
        raise click.ClickException(_OLD_PYTHON[_spoken_here()].format(least=least, own=own))


def _write(text: str) -> None:
    """Write people's text; what would move the cursor or turn the writing direction is left out."""
    _emit(text.translate(_UNPRINTABLE))


def _write_json(lines: str) -> None:
    """Write lines of JSON, the same bytes on every machine."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    _emit(lines)


def _json_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _emit(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _complain(text: str) -> None:
    click.echo(text.translate(_UNPRINTABLE), err=True)


def _text(file: str, words: Words) -> str | None:
    """The file's text; None, and said so, where it is not text."""
    try:
        with click.open_file(file, "rb") as stream:
            content: bytes = stream.read()
    except OSError as error:
        raise click.UsageError(f"{click.format_filename(file)}: {error.strerror}") from error
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _complain(words.say("%(file)s：第 %(line)s 行不是 UTF-8 文字。请把文件另存为 UTF-8。", file=file, line=line))
        return None


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "for_programs", is_flag=True, help="One JSON object a game and a line.")
@click.option("--as", "viewer", callback=_viewer, metavar="VIEWER", help="Only what seat:N, table or host may know.")
@click.option("--to", type=click.IntRange(min=0), help="Play the first so many records only.")
@language
def replay(files: tuple[str, ...], for_programs: bool, viewer: int, to: int | None, lang: Lang) -> None:
    """Play records again: what had to be done, who has won and why.

    FILES are game records; - reads the standard input. Exit status 0: every game ran and came out as written; 1: some
    did not; 2: bad usage.
    """
    from companion import report
    from companion.modes import find_mode
    from companion.rules.record import run
    from companion.words import Words

    games, missing = _games(files, Words(lang))
    failed = missing
    told: list[str] = []
    for title, game in games:
        played = run(game, to)
        if len(games) == 1 and report.lacks_seat(played, viewer):
            raise click.BadParameter(f"this game has no seat {viewer}.", param_hint="'--as'")
        words = Words(lang, find_mode(game.ruleset.id) if game.ruleset else None, game.names.get)
        seen, problems = report.view(played, viewer), report.faults(played, viewer, to)
        failed = failed or bool(problems)
        if for_programs:
            told.append(_json_line(report.as_json(game, seen, problems, words)))
        else:
            inputs = played.table.inputs if played.table else ()
            told.append((title if len(games) > 1 else "") + report.as_text(game, seen, inputs, problems, words))
    if for_programs:
        _write_json("".join(told))
    else:
        _write("\n".join(told))
    if failed:
        sys.exit(1)


def _games(files: Sequence[str], words: Words) -> tuple[list[tuple[str, Game]], bool]:
    """The games of all files, each with a heading, and whether a file held none."""
    from companion.modes import find_ruleset
    from companion.rules.record import parse

    games: list[tuple[str, Game]] = []
    missing = False
    for file in files:
        text = _text(file, words)
        found = parse(text or "", find_ruleset)
        if text is not None and not found:
            _complain(words.say("%(file)s：里面没有对局。", file=file))
        missing = missing or not found
        for number, game in enumerate(found, 1):
            games.append((words.say("== %(file)s，第 %(n)s 局", file=file, n=number) + "\n", game))
    return games, missing


@main.command()
@click.argument("mode")
@click.argument("roles", nargs=-1, required=True, metavar="ROLE...")
@click.option("--options", multiple=True, metavar="OPTIONS", help='The game\'s options, "double=on" for instance.')
@language
def check(mode: str, roles: tuple[str, ...], options: tuple[str, ...], lang: Lang) -> None:
    """Say whether a game can be played with these identities, by id or Chinese name; if not, why.

    Exit status 0: it can; 1: it cannot, each reason is given with its clause.
    """
    from companion.words import Words

    typed = " ".join(roles).replace(",", " ").split()
    found, reasons = _checked(mode, " ".join(options), typed)
    words = Words(lang, found)
    if found and not reasons:
        name = words.text(found.name)
        _write(words.say("这 %(players)s 张身份牌可以玩%(mode)s。", mode=name, players=len(typed)) + "\n")
        return
    told = (
        words.refusal(reason.reason, reason.params) + (f" [{reason.clause}]" if reason.clause else "")
        for reason in reasons
    )
    _write("".join(f"{line}\n" for line in dict.fromkeys(told)))
    sys.exit(1)


def _checked(mode: str, options: str, roles: Sequence[str]) -> tuple[Mode | None, list[IllegalInput]]:
    """The mode, and why it cannot be played with these options and roles: all reasons that can be told at once."""
    from companion.modes import find_mode
    from companion.rules.inputs import Card, Deal, IllegalInput

    reasons: list[IllegalInput] = []
    cards: list[Card] = []
    try:
        found = find_mode(mode)
    except IllegalInput as refusal:
        return None, [refusal]
    for role in roles:
        try:
            entered = found.ruleset.read(f"deal {role}")
        except IllegalInput as refusal:
            reasons.append(refusal)
        else:
            cards += entered.cards if isinstance(entered, Deal) else ()
    try:
        chosen = found.ruleset.read_options(options)
    except IllegalInput as refusal:
        reasons.append(refusal)
    else:
        reasons += [] if reasons else found.ruleset.check(chosen, cards, False)
    return found, reasons


@main.command()
@click.option("--json", "for_programs", is_flag=True, help="One JSON array, in all languages.")
@language
def modes(for_programs: bool, lang: Lang) -> None:
    """List modes with their numbers of players, identities and clauses."""
    from companion import report
    from companion.modes import MODES, find_mode

    found = [find_mode(mode) for mode in MODES]
    if for_programs:
        _write_json(_json_line([report.mode_json(mode) for mode in found]))
    else:
        _write(report.modes_text(found, lang))


port_option = click.option(
    "--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="It never changes by itself."
)
data_option = click.option("--data", type=click.Path(file_okay=False), metavar="FOLDER", help="Where tables are kept.")


@main.command()
@click.option(
    "--host", metavar="ADDRESS", help="The laptop's address to show and to listen on. Default: all, best first."
)
@port_option
@data_option
@click.option("--browser/--no-browser", default=True, help="Open the laptop's browser.", show_default=True)
@language
def serve(host: str | None, port: int, data: str | None, browser: bool, lang: Lang) -> None:
    """Serve tables to the phones in the same Wi-Fi, until interrupted with Ctrl+C."""
    from companion import lan, listening
    from companion.doctor import data as kept
    from companion.doctor import forbidden, network, taken
    from companion.storage import DatabaseTooNew, Health, StoreUnavailable
    from companion.web.serving import server
    from companion.words import Words

    words, database = Words(lang), _database(data)
    here = f"http://{'127.0.0.1' if host is None else host}:{port}"

    def ready(phones: Sequence[str]) -> None:
        _write(words.say("这台电脑上打开：%(url)s", url=here) + "\n")
        for address in phones:
            _write(words.say("手机能连到的地址：%(url)s", url=f"http://{address}:{port}") + "\n")
        _warn(finding for finding in network(words, lan.addresses(), port) if finding.mark == "bad")
        _write(words.say("记录保存在：%(path)s", path=database) + "\n" + words.say("按 Ctrl+C 停止。") + "\n")
        if phones:
            _draw_code(f"http://{phones[0]}:{port}", words)
        if browser:
            click.launch(here)

    try:
        server.serve(database, host, port, ready)
    except KeyboardInterrupt:
        pass
    except listening.PortTaken as error:
        raise _failed(taken(words, port, [one.ip for one in lan.addresses()])) from error
    except listening.PortForbidden as error:
        raise _failed(forbidden(words, port)) from error
    except listening.NoSuchAddress as missing:
        raise click.ClickException(words.say("这台电脑没有 %(address)s 这个地址。", address=host)) from missing
    except DatabaseTooNew as newer:
        raise click.ClickException(
            words.say(
                "%(path)s 是更新版的程序写的，没有改动它。请升级程序，或者用 --data 另选文件夹。", path=newer.where
            )
        ) from newer
    except StoreUnavailable as failed:
        raise _failed(kept(words, database, Health(failed.reason, None))) from failed


def _database(folder: str | None) -> Path:
    from companion.storage import FILE_NAME, default_path

    return Path(folder) / FILE_NAME if folder else default_path()


def _warn(findings: Iterable[Finding]) -> None:
    for finding in findings:
        _complain(f"! {finding.text} {finding.do}")


def _failed(finding: Finding) -> click.ClickException:
    return click.ClickException(f"{finding.text} {finding.do}")


def _draw_code(url: str, words: Words) -> None:
    """The address as a QR code, where standard output is a console that can show one."""
    from printables import qr

    picture = qr.blocks(url.upper())
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and _can_write("".join(picture)):
        _write(words.say("也可以用手机扫这里开一桌：") + "\n")
        for line in picture:
            click.secho(line, fg="black", bg="bright_white")


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


@main.command()
@port_option
@data_option
@language
def doctor(port: int, data: str | None, lang: Lang) -> None:
    """Look for what could keep phones out or lose records, and say what to do.

    Exit status 0: nothing is wrong; 1: something is, marked with "!".
    """
    from companion.doctor import PLAIN_SIGNS, SIGNS, examine, lines
    from companion.words import Words

    words = Words(lang)
    findings = examine(words, port, _database(data))
    signs = SIGNS if _can_write("".join(SIGNS.values())) else PLAIN_SIGNS
    _write("\n".join(lines(words, findings, signs)) + "\n")
    if any(finding.mark == "bad" for finding in findings):
        sys.exit(1)


cli_print.register(main, language)
