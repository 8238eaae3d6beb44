"""A whole game without a pointer: with the keyboard alone, and as a screen reader does it, by roles and names."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.people import People, Person

MOST_TABS = 150


def _is_focused(where: Locator) -> bool:
    return bool(where.evaluate("e => e === document.activeElement"))


def _reach(where: Locator) -> None:
    """Go there with Tab, and inside a group of radio buttons with the arrow keys."""
    expect(where).to_be_attached()
    page = where.page
    for _ in range(MOST_TABS):
        if _is_focused(where):
            assert where.evaluate("e => e.matches(':focus-visible')")
            return
        in_group = where.evaluate(
            "e => [document.activeElement].every(at => e.type === 'radio' && at.name === e.name && at.form === e.form)"
        )
        page.keyboard.press("ArrowDown" if in_group else "Tab")
    raise AssertionError(f"the keyboard does not reach {where}")


class Keyboard:
    """How somebody goes, presses, types and holds with nothing but the keyboard."""

    def go(self, where: Locator) -> None:
        _reach(where)

    def press(self, where: Locator) -> None:
        _reach(where)
        where.page.keyboard.press("Space" if where.evaluate("e => e.type === 'radio'") else "Enter")

    def write(self, where: Locator, text: str) -> None:
        _reach(where)
        where.page.keyboard.press("ControlOrMeta+a")
        where.page.keyboard.type(text)

    def hold(self, card: Locator) -> None:
        _reach(card)
        card.page.keyboard.down("Space")

    def let_go(self, card: Locator) -> None:
        card.page.keyboard.up("Space")


class Reader:
    """How a screen reader goes, presses, types and opens: it clicks without a pointer what has a role and a name."""

    def go(self, where: Locator) -> None:
        expect(where).to_have_count(1)
        where.focus()

    def press(self, where: Locator) -> None:
        self.go(where)
        where.evaluate("e => e.click()")

    def write(self, where: Locator, text: str) -> None:
        where.fill(text)

    hold = let_go = press


class Player:
    """Plays a whole game with these hands."""

    def __init__(self, hands: Keyboard | Reader) -> None:
        self.hands = hands
        self.go, self.press, self.write = hands.go, hands.press, hands.write

    def opens(self, screen: Person) -> str:
        """A table for the classical game, where deaths count at once; its code."""
        page = screen.page
        page.goto(screen.url)
        self.press(page.get_by_role("button", name="Open a table"))
        code = screen.see(".short b").inner_text()
        self.press(page.get_by_role("link", name="Settings"))
        pause = page.get_by_role("combobox", name="Seconds before a death is final")
        self.go(pause)
        page.keyboard.press("Home")
        expect(pause).to_have_value("0")
        page.wait_for_load_state("networkidle")
        return code

    def joins(self, phone: Person, code: str, name: str) -> None:
        phone.page.goto(f"{phone.url}/j/{code}")
        self.write(phone.page.get_by_role("textbox", name="Name"), name)
        self.press(phone.page.get_by_role("button", name="Sit down"))
        expect(phone.page.get_by_role("heading", level=1)).to_contain_text(name)

    def records_a_death(self, page: Page, who: str, by: str) -> None:
        self.press(page.get_by_role("radio", name=who))
        self.press(page.get_by_role("group", name="Record").get_by_role("radio", name="Dead"))
        self.press(page.locator(".ask:visible").get_by_role("button", name=by))

    def plays(self, people: People) -> None:
        """A game of three, from opening the table to the next deal."""
        screen = people.screen("en-GB")
        code = self.opens(screen)
        names = ("Ann", "Bob", "Cid")
        phones = [people.phone(locale="en-GB") for _ in names]
        for phone, name in zip(phones, names, strict=True):
            self.joins(phone, code, name)
        self.press(screen.page.get_by_role("button", name="Deal identities"))
        roles = {}
        for phone, name in zip(phones, names, strict=True):
            card = phone.page.get_by_role("button", name="Hold to look")
            expect(card).to_have_attribute("aria-pressed", "false")
            roles[name] = self.looks(phone, card)
        lord = next(name for name, role in roles.items() if role == "Lord")
        for victim in (name for name in names if name != lord):
            page = phones[names.index(victim)].page
            self.records_a_death(page, victim, lord)
            expect(page.locator(".log .what", has_text=victim).first).to_be_visible()
            if page.get_by_role("button", name="Done").count():
                self.press(page.get_by_role("button", name="Done"))
        page = phones[0].page
        expect(page.get_by_role("heading", level=1, name="Lord and loyalists win")).to_be_visible()
        self.press(screen.page.get_by_role("button", name="Play again"))
        expect(page.get_by_role("button", name="Hold to look")).to_be_attached()

    def looks(self, phone: Person, card: Locator) -> str:
        """What the card says; it is covered afterwards, for the eye and for the reader."""
        role = phone.page.locator("#face .role")
        self.hands.hold(card)
        expect(role).to_be_visible()
        found = role.inner_text()
        self.hands.let_go(card)
        expect(role).to_be_hidden()
        assert "What I know" not in phone.page.locator("body").aria_snapshot()
        return found


def test_a_whole_game_with_the_keyboard_alone(people: People) -> None:
    Player(Keyboard()).plays(people)


def test_a_whole_game_by_roles_and_names(people: People) -> None:
    Player(Reader()).plays(people)
