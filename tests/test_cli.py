"""The command line as people and programs use it: what it prints, in which language, and with which exit status."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import lan, words
from companion.cli import LANGS, _draw_code, language_of, main
from companion.web.serving import server as server_module
from tests.running import Server

ROOT = Path(__file__).parents[1]
GAME = """[Mode "classic"]
[Seat 1 "甲"]
[Seat 2 "乙"]
1. deal lord rebel
2. turn 1
"""
ENDED = GAME + "3. death 1 by 2\n"
COURT8 = ["lord", "crown_prince", "loyalist", "rebel_chief", "rebel", "rebel", "rebel", "renegade"]


def companion(*arguments: str, stdin: str | bytes = "", lang: str = "en") -> Result:
    result = CliRunner().invoke(main, [*arguments, "--lang", lang], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def command(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, with only this of the environment that chooses language and encoding."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", "from companion.cli import main; main()", *arguments],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
    )


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.txt"
    path.write_text(GAME, "utf-8")
    return str(path)


# replay


def test_a_finished_game_is_told_with_its_end(tmp_path: Path) -> None:
    path = tmp_path / "ended.txt"
    path.write_text(ENDED, "utf-8")
    result = companion("replay", str(path))
    assert result.exit_code == 0
    assert "  3. 甲 dies, killed by 乙\n" in result.output
    assert "\nRebels win [CL-4.2]\nThe Lord is dead: " in result.output
    assert result.output.endswith("\nWon: 乙 (Rebel)\nLost: 甲 (Lord)\n")


def test_one_json_object_a_game_and_a_line(record: str) -> None:
    result = companion("replay", record, "-", record, "--json", stdin=GAME + ENDED)
    assert result.exit_code == 0
    games = [json.loads(line) for line in result.output.splitlines()]
    assert [game["ended"] for game in games] == [False, False, True, False]
    assert "甲" in result.output


def test_several_games_are_told_apart(record: str) -> None:
    output = companion("replay", record, "-", stdin=GAME + ENDED).output
    headings = [line for line in output.splitlines() if line.startswith("== ")]
    assert headings == [f"== {record}, game 1", "== -, game 1", "== -, game 2"]


def test_a_faulty_game_stops_and_the_next_one_still_runs() -> None:
    result = companion("replay", "-", "--json", stdin=GAME + "3. death 3 by 1\n4. death 1 by 2\n\n" + ENDED)
    assert result.exit_code == 1
    first, second = map(json.loads, result.output.splitlines())
    assert [(error["line"], error["step"], error["clause"]) for error in first["errors"]] == [(6, 3, None)]
    assert not first["ended"] and second["ended"] and not second["errors"]


def test_errors_are_told_in_words() -> None:
    result = companion("replay", "-", stdin=GAME + "3. death 2 by 1\n4. turn 2\nwhat\n", lang="zh-Hant")
    assert result.exit_code == 1
    assert "  第 7 行（第 4 條）：這一局已經結束。要改結果，先撤銷最後一條。 [X5]\n" in result.output
    assert "  第 8 行：看不懂這一行。" in result.output


def test_only_what_a_viewer_may_know(record: str) -> None:
    def roles(viewer: str) -> list[str | None]:
        game = json.loads(companion("replay", record, "--json", "--as", viewer).output)
        return [seat["role"] for seat in game["seats"]]

    assert roles("host") == roles("seat:2") == ["lord", "rebel"]
    assert roles("table") == roles("seat:1") == ["lord", None]
    assert companion("replay", record, "--json").output == companion("replay", record, "--json", "--as", "host").output


@pytest.mark.parametrize(
    "viewer", ["seat:0", "seat:100", "seat:", "seat:x", "seat", "2", "", "Host", "seat:²", "seat:-1"]
)
def test_an_unknown_viewer_is_bad_usage(record: str, viewer: str) -> None:
    result = companion("replay", record, "--as", viewer)
    assert result.exit_code == 2
    assert "say seat:N, table or host" in result.output


def test_a_seat_that_the_only_game_lacks_is_bad_usage(record: str) -> None:
    result = companion("replay", record, "--json", "--as", "seat:3")
    assert result.exit_code == 2
    assert "no seat 3" in result.output and "{" not in result.output


def test_a_seat_that_one_of_several_games_lacks_is_an_error_of_that_game(record: str) -> None:
    larger = '[Mode "classic"]\n1. deal lord rebel renegade\n'
    result = companion("replay", record, "-", "--json", "--as", "seat:3", stdin=larger)
    assert result.exit_code == 1
    smaller, larger = map(json.loads, result.output.splitlines())
    assert [error["line"] for error in smaller["errors"]] == [1]
    assert [seat["role"] for seat in smaller["seats"]] == ["lord", None]
    assert not larger["errors"]


def test_two_games_that_differ_in_something_hidden_print_the_same() -> None:
    game = '[Mode "classic"]\n1. deal lord {} {} {} {}\n2. turn 1\n3. turn 9\n'
    worlds = [
        game.format(*["rebel", "loyalist", "renegade", "rebel"]),
        game.format(*["loyalist", "rebel", "rebel", "renegade"]),
    ]
    for options in (["--as", "table"], ["--as", "seat:1", "--json"]):
        outputs = [command("replay", "-", *options, stdin=world.encode()) for world in worlds]
        assert outputs[0].stdout == outputs[1].stdout != b""
        assert [output.returncode for output in outputs] == [1, 1]
    assert len({companion("replay", "-", stdin=world).output for world in worlds}) == 2


def test_up_to_a_step() -> None:
    assert companion("replay", "-", "--to", "2", stdin=ENDED).output.endswith("(Rebel)\n")
    game = json.loads(companion("replay", "-", "--json", "--to", "2", stdin=ENDED).output)
    assert not game["ended"]
    assert json.loads(companion("replay", "-", "--json", "--to", "99", stdin=ENDED).output)["ended"]
    assert json.loads(companion("replay", "-", "--json", "--to", "0", stdin=ENDED).output)["seats"] == []
    assert companion("replay", "-", "--to", "-1", stdin=ENDED).exit_code == 2


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "there is no game in it"),
        (b"\n; nothing\n\n", "there is no game in it"),
        (b"[Mode \"classic\"]\n[Seat 1 \"\xbc\xd7\"]\n", "line 2 is not UTF-8"),
        ("[Mode \"classic\"]\n".encode("utf-16"), "line 1 is not UTF-8"),
    ],
)  # fmt: skip
def test_a_file_without_games_is_said_to_be_one(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes(content)
    result = command("replay", "--json", str(path), "-", stdin=ENDED.encode())
    assert result.returncode == 1
    assert f"{path}: {complaint}" in result.stderr.decode()
    assert json.loads(result.stdout)["ended"]


@pytest.mark.parametrize(
    "content",
    [
        "\0",
        "\0" * 5000 + "\n",
        '[Mode "classic"]\n1. deal lord\0 \0rebel\n',
        '[Mode "classic"]\n1. deal ' + "lord " * 50_000,
        '[Mode "' + "x" * 500_000 + '"]',
        '[Mode "' + '\\"' * 100_000,
        "[Seat " + "9" * 5000 + ' "x"]\n' + "9" * 5000 + ". turn " + "9" * 5000,
        '[Mode "classic"]\n[Options "hp=on, hp"]\n1. deal lord rebel',
        '[Mode "classic"]\n1. deal lord rebel\n2. ',
        '[Mode "classic"]\n1. deal lord rebel\n2. correct 1 %s 3\n3. use 1 %(x)s',
        "\u2028[\ud7ff\U0010ffff",
        "[]\n[][]\n> \n>>\n;\n1.\n",
    ],
    ids=range(12),
)
@pytest.mark.parametrize("options", [[], ["--json"], ["--json", "--as", "seat:1"], ["--to", "2"]])
def test_nothing_that_a_file_holds_is_a_fault_of_the_program(content: str, options: list[str]) -> None:
    result = companion("replay", "-", *options, stdin=content.encode())
    assert result.exit_code == 1
    if "--json" in options and result.output.startswith("{"):
        assert all(json.loads(line)["errors"] for line in result.output.split("\n")[:-1])


def test_a_missing_file_and_a_folder_are_bad_usage(tmp_path: Path, record: str) -> None:
    for file in (str(tmp_path), str(tmp_path / "nothing.txt")):
        result = companion("replay", record, file)
        assert result.exit_code == 2
        assert file in result.output and "甲" not in result.output
    assert companion("replay").exit_code == 2


def test_a_name_cannot_write_on_the_terminal() -> None:
    game = '[Mode "classic"]\n[Seat 1 "\x1b[31m\u202eevil\x07"]\n1. deal lord rebel\n'
    output = companion("replay", "-", stdin=game).output
    assert "1 [31mevil" in output
    assert json.loads(companion("replay", "-", "--json", stdin=game).output)["seats"][0]["player"].startswith("\x1b")


# Languages, encodings, pipes


@pytest.mark.parametrize(
    ("locale", "lang"),
    [
        ("C.UTF-8", "en"),
        ("en_GB.UTF-8", "en"),
        ("de_DE", "en"),
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh_SG", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("zh_HK", "zh-Hant"),
        ("zh_Hant_CN", "zh-Hant"),
        ("Chinese (Simplified)_China", "zh-Hans"),
        ("Chinese (Traditional)_Taiwan", "zh-Hant"),
        ("", "en"),
        ("zhuang", "en"),
    ],
)
def test_the_language_of_a_locale(locale: str, lang: str) -> None:
    assert language_of(locale) == lang


def test_the_environment_chooses_the_language_and_an_option_overrules_it() -> None:
    def first_line(*options: str, **environment: str) -> str:
        result = command("replay", "-", *options, stdin=GAME.encode(), PYTHONUTF8="1", **environment)
        return result.stdout.decode().splitlines()[0]

    assert first_line() == first_line(LANG="C") == "Classic"
    assert first_line(LANG="zh_CN.UTF-8") == "主忠反内"
    assert first_line(LANG="zh_CN.UTF-8", LC_ALL="zh_TW.UTF-8") == "主忠反內"
    assert first_line("--lang", "ZH-hans", LC_ALL="en_US.UTF-8") == "主忠反内"
    assert companion("replay", "-", stdin=GAME, lang="fr").exit_code == 2
    assert LANGS == words.LANGS


def test_a_console_without_chinese_gets_the_rest() -> None:
    result = command("replay", "-", "--lang", "en", stdin=GAME.encode(), PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert b"  2. Turn of ?" in result.stdout
    as_json = command("replay", "-", "--json", stdin=GAME.encode(), PYTHONIOENCODING="cp1252")
    assert json.loads(as_json.stdout)["seats"][0]["player"] == "甲"
    complaint = command("replay", "-", "--lang", "zh-Hans", stdin=b"", PYTHONIOENCODING="ascii")
    assert complaint.returncode == 1 and b"Traceback" not in complaint.stderr


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(ENDED * 400, "utf-8")
    for options in ([], ["--json"]):
        with subprocess.Popen(
            [sys.executable, "-c", "from companion.cli import main; main()", "replay", str(path), *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout and process.stderr
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""


@pytest.mark.parametrize("arguments", [["--help"], ["replay", "-", "--json"], ["check", "classic", "lord"], ["modes"]])
def test_no_command_but_serve_waits_for_the_web(arguments: list[str]) -> None:
    listed = "import sys; from companion.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", listed, *arguments], cwd=ROOT, input=GAME.encode(), capture_output=True
    )
    loaded = set(result.stderr.decode().split())
    assert "click" in loaded
    assert not {"flask", "flask_babel", "babel", "waitress", "sqlite3", "psutil", "qrcode", "PIL", "reportlab"} & loaded
    if arguments == ["--help"]:
        own = {name for name in loaded if name.startswith(("companion.", "printables"))}
        assert own == {"companion.cli", "companion.cli_print"}


# check


def test_a_composition_that_can_be_dealt() -> None:
    result = companion("check", "court8", *COURT8)
    assert (result.exit_code, result.output) == (0, "These 8 identities can be dealt in the mode Court, 8 players.\n")
    names = ["储君", "主公", "忠臣", "贼首", "反贼", "反贼", "反贼", "内奸"]
    chinese = companion("check", "court8", *names, lang="zh-Hans")
    assert (chinese.exit_code, chinese.output) == (0, "这 8 张身份牌可以玩初级版（八人）。\n")
    assert companion("check", "court8", " ".join(COURT8[:4]), ",".join(COURT8[4:])).exit_code == 0


def test_options_count() -> None:
    six = ["lord", "loyalist", "rebel", "rebel", "renegade", "renegade"]
    assert companion("check", "classic", "--options", "double=on hp=on", *six).exit_code == 0
    assert companion("check", "classic", "--options", "double=on", "--options", "hp=on", *six).exit_code == 0
    assert companion("check", "classic", *six).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        (
            ["court8", "lord", "foo", "bar:red", "x>2"],
            ["no identity “foo”", "no identity “bar”", "no identity “x”"],
        ),
        (["court8", *COURT8, "rebel"], ["exactly 8 players… [X7]"]),
        (["court8", *COURT8[:-1], "rebel"], ["must be: Lord 1, Crown Prince 1… [X7]"]),
        (["court10", *COURT8], ["no rules for 9 to 11"]),
        (["court", "lord"], ["no rules for 9 to 11"]),
        (["poker", "lord"], ["no mode “poker”. There are: classic, court8"]),
        (["classic", "lord", "rebel", "--options", "magic=on"], ["no option “magic”… [X18]"]),
        (["classic", "lord", "foo", "--options", "hp=3"], ["no identity “foo”", "can only be: off, on. [X18]"]),
        (["classic", "lord:red", "rebel>1"], ["Lord: in this mode… [CL-1]", "Rebel: in this mode… [CL-1]"]),
        (["classic", "lord", "rebel>zero"], ["“zero” is not a number"]),
        (["classic", "lord"], ["takes 2–10 players, not 1. [CL-1]"]),
        (
            ["sixteen", *["rebel"] * 7, "alliance_leader", "alliance_leader"],
            ["2–8 players, not 9. [SX-1.1]", "At most one Alliance Leader. [SX-1.5]", "[SX-1.4]"],
        ),
        (["sixteen", "chu", *["rebel"] * 8], ["not 9. [SX-1.1]", "[SX-1.8]"]),
        (["classic", ""], ["takes 2–10 players, not 0. [CL-1]"]),
    ],
)
def test_a_composition_that_cannot_is_told_why(arguments: list[str], reasons: list[str]) -> None:
    result = companion("check", *arguments)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert len(lines) == len(reasons)
    for line, reason in zip(lines, reasons, strict=True):
        for part in reason.replace("“", '"').replace("”", '"').split("…"):
            assert part in line


def test_check_wants_a_mode_and_roles() -> None:
    assert companion("check").exit_code == 2
    assert companion("check", "court8").exit_code == 2


# modes


def test_modes_are_listed_for_people_and_programs() -> None:
    text = companion("modes")
    assert text.exit_code == 0
    assert "Court, 8 players (court8), players: 8\n" in text.output
    assert "  C8-LORD.1 Majesty — " in text.output
    listed = companion("modes", "--json", lang="zh-Hant")
    assert listed.exit_code == 0 and listed.output == companion("modes", "--json").output
    assert [mode["id"] for mode in json.loads(listed.output)][:2] == ["classic", "court8"]
    assert listed.output.count("\n") == 1


# serve


def test_a_taken_port_ends_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = companion("serve", "--no-browser", "--data", str(tmp_path), "--port", str(port))
    assert result.exit_code == 1
    assert f"Another program uses port {port}" in result.output and f"--port {port + 1}" in result.output
    assert not list(tmp_path.iterdir())


def test_a_second_start_is_led_to_the_server_that_runs(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        result = companion("serve", "--no-browser", "--data", str(tmp_path / "other"), "--port", str(server.port))
    finally:
        server.stop()
    assert result.exit_code == 1
    assert "already runs" in result.output and f"http://127.0.0.1:{server.port}" in result.output


@pytest.mark.parametrize(
    ("encoding", "is_console", "term", "is_drawn"),
    [
        ("utf-8", True, "xterm", True),
        ("cp437", True, "xterm", True),
        ("gbk", True, "xterm", False),
        ("ascii", True, "xterm", False),
        ("utf-8", True, "dumb", False),
        ("utf-8", False, "xterm", False),
    ],
)
def test_a_console_shows_the_code_where_it_can(
    monkeypatch: pytest.MonkeyPatch, encoding: str, is_console: bool, term: str, is_drawn: bool
) -> None:
    console = TextIOWrapper(BytesIO(), encoding, write_through=True)
    monkeypatch.setattr(console, "isatty", lambda: is_console, raising=False)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdout", console)
    _draw_code("http://192.168.1.23:8765", words.Words("en"))
    written = console.buffer.getvalue().decode(encoding)
    assert ("▀" in written) == is_drawn == bool(written)


def test_a_laptop_without_network_is_told_when_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: [lan.Address("10.8.0.6", "tun0", "vpn")])

    def serve(_: Path, __: str | None, ___: int, ready: Callable[[Sequence[str]], None]) -> None:
        ready(["10.8.0.6"])

    monkeypatch.setattr(server_module, "serve", serve)
    result = companion("serve", "--no-browser", "--data", str(tmp_path))
    assert result.exit_code == 0 and "turn the VPN off" in result.stderr
