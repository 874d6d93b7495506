"""Files that the program does not read: dependencies and their page, workflows, templates, license."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def documented():
    text = (ROOT / "docs/dependencies.md").read_text()
    rows = re.findall(r"^\| \[[^\]]+\]\((\S+)\) \| (\S+) \| (\S[^|]*) \|", text, re.MULTILINE)
    return {url: (version, licence.strip()) for url, version, licence in rows}


def pinned():
    text = (ROOT / "Package.swift").read_text()
    return dict(re.findall(r'\.package\(\s*url: "([^"]+)",\s*exact: "([^"]+)"', text))


def test_every_dependency_is_pinned():
    text = (ROOT / "Package.swift").read_text()
    assert len(re.findall(r"\.package\(\s*url:", text)) == len(pinned()) > 0


def test_the_page_lists_what_is_pinned():
    assert {url: version for url, (version, _) in documented().items()} == pinned()


def test_the_page_lists_what_floats():
    resolved = ROOT / "Package.resolved"
    if not resolved.exists():
        pytest.skip("nothing is resolved: no build was made here")
    pins = {Path(pin["location"]).name.removesuffix(".git") for pin in json.loads(resolved.read_text())["pins"]}
    floating = pins - {Path(url).name for url in pinned()}
    text = (ROOT / "docs/dependencies.md").read_text()
    listed = re.search(r"These packages float[^:]*: ([^.]*)\.", text).group(1)
    assert set(re.split(r",\s+", listed)) == floating


@pytest.mark.parametrize("tag, is_right", [("v{}", True), ("v{}1", False), ("{}", False), ("v0.0.0", False)])
def test_a_release_is_made_for_the_programs_version_only(tag, is_right):
    workflow = ROOT / ".github/workflows/release.yml"
    jobs = yaml.safe_load(workflow.read_text())["jobs"]
    [script] = [step["run"] for step in jobs["version"]["steps"] if "run" in step]
    version = re.search(r'text = "(.*)"', (ROOT / "Sources/Program/PushcoteConfiguration/Version.swift").read_text()).group(1)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "GITHUB_REF_NAME": tag.format(version)})
    assert (done.returncode == 0) == is_right, done.stdout
    assert ("::error::" in done.stdout) == (not is_right)
    assert all("version" in job.get("needs", []) for name, job in jobs.items() if name in ("tarball", "image"))


def test_every_licence_is_permitted():
    assert {licence for _, licence in documented().values()} <= {"Apache-2.0", "MIT"}


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def steps(workflow):
    jobs = yaml.safe_load(workflow.read_text())["jobs"]
    return [step for job in jobs.values() for step in job.get("steps", [])]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_valid(workflow):
    document = yaml.safe_load(workflow.read_text())
    # YAML 1.1 parses the key `on` as a boolean.
    assert {"name", True, "permissions", "jobs"} <= set(document)
    for job in document["jobs"].values():
        assert "timeout-minutes" in job and "runs-on" in job or (ROOT / job["uses"]).is_file()
        assert set(job.get("needs", [])) <= set(document["jobs"]) or job["needs"] in document["jobs"]
    for step in steps(workflow):
        assert ("run" in step) != ("uses" in step), step
        if "run" in step:
            script = re.sub(r"\$\{\{.*?\}\}", "x", step["run"])
            subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        else:
            # A tag can be moved; a commit cannot.
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", step["uses"]), step


def test_workflows_call_make_targets_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = {
        target
        for workflow in WORKFLOWS
        for step in steps(workflow)
        for target in re.findall(r"(?:^|&& )make ([a-z-]+)", step.get("run", ""), re.MULTILINE)
    }
    assert {"test", "check", "release", "push-image"} <= called <= targets


@pytest.mark.parametrize("form", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem)
def test_an_issue_form_is_valid(form):
    document = yaml.safe_load(form.read_text())
    if form.stem != "config":
        assert {"name", "description", "body"} <= set(document)
        assert all({"type", "attributes"} <= set(part) for part in document["body"])


def test_the_licence_matches_its_name():
    assert "Apache License" in (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("script", ["build-image", "check-libraries", "fresh", "icu-data", "install-packages", "man-pages", "../docker/root"])
def test_a_script_passes_shellcheck(script):
    subprocess.run(["bash", "-n", ROOT / "scripts" / script], check=True)


def test_the_dockerfile_copies_existing_files():
    text = (ROOT / "docker/Dockerfile").read_text()
    copied = re.findall(r"^COPY ([^-].*) \S+$", text, re.MULTILINE)
    assert {"Package.swift", "Sources", "docker/root"} <= {source for line in copied for source in line.split()}
    for line in copied:
        for source in line.split():
            assert (ROOT / source).exists(), source
    # The default image is the last stage; a named stage serves extensions that need an interpreter.
    stages = re.findall(r"^FROM (\S+)(?: AS (\S+))?$", text, re.MULTILINE)
    assert stages[-1] == ("plain", "") and ("plain", "debian") in stages


def test_compose_drops_the_gateways_privileges():
    document = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())
    gateway = document["services"]["pushcote"]
    assert document["name"] == "pushcote" and gateway["read_only"] and gateway["cap_drop"] == ["ALL"]
    mounted = {volume.split(":")[0] for service in document["services"].values() for volume in service.get("volumes", [])}
    assert mounted == set(document["volumes"])
