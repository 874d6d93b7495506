"""What somebody asks who knows neither the API nor the source: each answer is at most four clicks from the inbox."""

import re

import pytest
from playwright.sync_api import expect

import day
from activities import Phone, T0, state


class Reader:
    """Reads the page from the inbox on, and counts clicks."""

    def __init__(self, tab):
        self.page = tab.go("/")
        self.clicks = 0
        expect(self.page.locator(".status")).to_contain_text("live")

    def click(self, name, within="body", role="link", exact=False):
        self.clicks += 1
        self.page.locator(within).get_by_role(role, name=name, exact=exact).first.click()

    def open(self, title):
        self.click(title, within="cote-list")

    def reads(self, text, within="main"):
        expect(self.page.locator(within).get_by_text(text).first).to_be_visible()


@pytest.fixture(scope="module")
def filled(make_gateway):
    gateway = make_gateway()
    gateway.day = day.fill(gateway)
    gateway.api("PUT", "/apps/com.example.oven", json={"extension": {"kind": "process", "command": ["false"]}})
    gateway.day.push("alice", "com.example.oven", "Bread", "Take it out.", **{"mutable-content": 1})
    gateway.wait(text="Bread", state="delivered")
    return gateway


def arrived(reader):
    reader.reads(re.compile("^Salary"), "cote-list")
    reader.reads("alice", "cote-list")


def why_no_alert(reader):
    reader.open("The oven is still on.")
    reader.reads("The Focus silences it", ".decides")


def seen(reader):
    reader.open("New sign-in")
    reader.reads("On the lock screen", "figcaption")


def in_another_focus(reader):
    reader.open("The oven is still on.")
    reader.click("What if", within=".tabs")
    reader.reads("In the Focus “Sleep”")


def answered(reader):
    reader.click("Refused:")
    reader.reads("The token was created")


def extension(reader):
    reader.open("Bread")
    reader.click("Extension", within=".tabs")
    reader.reads("Failed")
    reader.reads("exited")


def client(reader):
    reader.click("Set up a client")
    reader.click("Pushy")
    reader.reads("ApnsClientBuilder", "section.lines")


def today(reader):
    reader.open("Salary")
    reader.click("alice", within=".detail")
    expect(reader.page.locator(".marks a").first).to_be_visible()


def do_not_disturb(reader):
    reader.open("Salary")
    reader.click("What if", within=".tabs")
    row = reader.page.get_by_role("row", name=re.compile("In Do Not Disturb"))
    expect(row).to_contain_text("silenced by the Focus Do Not Disturb")
    expect(row.get_by_role("img")).to_be_visible()


def a_test_of_it(reader):
    reader.open("Salary")
    reader.click("Copy", within=".tabs", exact=True)
    expect(reader.page.locator("h3:text-is('A test in Java') + .code")).to_contain_text("Your salary has arrived.")
    reader.clicks += 1
    reader.page.locator("h3:text-is('A test in Java') + .code").get_by_role("button", name="Copy").click()


QUESTIONS = [arrived, why_no_alert, seen, in_another_focus, answered, extension, client, today, do_not_disturb, a_test_of_it]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_the_answer_is_at_most_four_clicks_away(filled, open_tab, question):
    reader = Reader(open_tab(filled, permissions=["clipboard-read", "clipboard-write"]))
    question(reader)
    assert reader.clicks <= 4


def test_the_dropped_update_of_a_live_activity_is_found(start_gateway, open_tab, connect):
    phone = Phone(start_gateway(), connect)
    activity = phone.started()
    phone.push(activity["push"]["token"], "update", T0 - 50, content_state=state(2))
    reader = Reader(open_tab(phone.gateway))
    reader.open("Live Activity push")
    reader.click("phone", within=".detail", exact=True)
    table = reader.page.get_by_role("table", name="Live Activities")
    expect(table).to_contain_text("Update dropped: Timestamp older")
    assert reader.clicks <= 4
