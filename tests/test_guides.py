"""What the guides and the workflow say is so."""

import argparse
import re
import shlex

import pytest
import yaml

from pylit.cli import make_parser
from tests.conftest import ROOT

COMMAND = re.compile(r"(?:^|`)(pylit [a-z][^`\n#]*)", re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    """Every command line of pylit in the guides."""
    found: list[tuple[str, str]] = []
    for file in sorted((ROOT / "guides").glob("*.md")):
        text = file.read_text(encoding="utf-8").replace("\\\n", " ")
        text = re.sub(r"```(?:vim|json).*?```", "", text, flags=re.DOTALL)
        found += [(file.name, command.strip()) for command in COMMAND.findall(text)]
    return found


def options_of(words: list[str]) -> set[str]:
    """The options that a command knows, or that its action does."""
    parser = make_parser()
    for word in words:
        actions = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        if not actions:
            break
        assert word in actions[0].choices, f"there is no command {word}"
        parser = actions[0].choices[word]
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize(("file", "command"), commands())
def test_the_commands_of_the_guides_are_there(file: str, command: str) -> None:
    _, *words = shlex.split(command)
    known = options_of([word for word in words if not word.startswith("-")])
    used = {word.partition("=")[0] for word in words if word.startswith("-")}
    assert used <= known, f"{file}: {command}"


def test_the_guide_the_help_and_the_script_know_the_same_keys() -> None:
    guide = (ROOT / "guides/reading.md").read_text(encoding="utf-8")
    table = guide.partition("| key | does |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    in_guide = [re.findall(r"`([^`]+)`", row) for row in rows]
    help_text = (ROOT / "templates/help.html").read_text(encoding="utf-8")
    in_help = [
        re.findall(r"<kbd>(.*?)</kbd>", row) for row in re.findall("<dt>.*?</dt>", help_text)
    ]
    assert in_guide == in_help
    script = (ROOT / "templates/scripts/keys.js").read_text(encoding="utf-8")
    actions = script.partition("const actions = {")[2].partition("};")[0]
    bound = re.findall(r'^    "?([^\s":]+)"?: \(\) =>', actions, re.MULTILINE)
    others = {"↑", "↓", "←", "→", "Esc"}
    assert sorted(bound) == sorted({key for keys in in_help for key in keys} - others)


def test_the_workflow_has_few_rights_and_pinned_actions() -> None:
    text = (ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    writers = {
        name
        for name, job in workflow["jobs"].items()
        if "write" in job.get("permissions", {}).values()
    }
    assert writers == {"publish"}
    uses = [
        step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step
    ]
    assert uses
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", each) for each in uses)
    # What comes from a pull request reaches a shell only as the value of a variable.
    for job in workflow["jobs"].values():
        assert all("${{" not in step.get("run", "") for step in job["steps"])
    # A branch of somebody else is built, but neither published nor trusted with a token.
    assert "pull_request_target" not in text
    assert "github.event_name != 'pull_request'" in workflow["jobs"]["publish"]["if"]
