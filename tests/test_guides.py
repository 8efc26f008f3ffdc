"""What the guides and the workflow say is so."""

import argparse
import re
import shlex
from typing import Any

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
        text = re.sub(r"```(?:vim|json|yaml).*?```", "", text, flags=re.DOTALL)
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


def workflow_of_authors() -> str:
    """The workflow that the guide gives to authors."""
    guide = (ROOT / "guides/publishing.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    return str(text)


def workflow_of_ours() -> str:
    """The workflow of this repository."""
    return (ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")


def actions(workflow: dict[str, Any]) -> list[str]:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    return [step["uses"] for step in steps if "uses" in step]


@pytest.mark.parametrize("text", [workflow_of_ours(), workflow_of_authors()], ids=["ours", "guide"])
def test_the_workflow_has_few_rights_and_pinned_actions(text: str) -> None:
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    writers = {
        name
        for name, job in workflow["jobs"].items()
        if "write" in job.get("permissions", {}).values()
    }
    assert writers == {"publish"}
    uses = actions(workflow)
    assert uses
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", each) for each in uses)
    # What comes from a pull request reaches a shell only as the value of a variable.
    for job in workflow["jobs"].values():
        assert all("${{" not in step.get("run", "") for step in job["steps"])
    # A branch of somebody else is built, but neither published nor trusted with a token.
    assert "pull_request_target" not in text
    assert "github.event_name != 'pull_request'" in workflow["jobs"]["publish"]["if"]


def test_the_workflow_of_the_guide_is_ours_without_the_tests() -> None:
    ours, guide = yaml.safe_load(workflow_of_ours()), yaml.safe_load(workflow_of_authors())
    assert set(actions(guide)) == set(actions(ours))
    # YAML 1.1 reads `on` as a truth value.
    for key in (True, "permissions", "concurrency"):
        assert guide[key] == ours[key]
    assert set(ours["jobs"]) - set(guide["jobs"]) == {"test"}
    for name, job in guide["jobs"].items():
        assert job["permissions"] == ours["jobs"][name]["permissions"]
        assert job["steps"][-1]["uses"] == ours["jobs"][name]["steps"][-1]["uses"]
    # What is built is what is uploaded.
    build = guide["jobs"]["build"]["steps"]
    (written,) = re.findall(r"--output (\S+)", " ".join(step.get("run", "") for step in build))
    paths = {step["with"]["path"] for step in build if "path" in step.get("with", {})}
    assert paths == {written}
    known = options_of(["build"]) | options_of(["check"])
    used = re.findall(
        r"(?<!\S)(?:\$\{BASE_URL:\+)?(--[a-z-]+)",
        "".join(step["run"] for step in build if "pylit build" in step.get("run", "")),
    )
    assert {"--output", "--repository", "--base-url"} == set(used) <= known
