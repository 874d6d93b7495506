"""`make release` and the contents of its archive, with the debug program in place of the release build."""

import os
import re
import shutil
import subprocess
import tarfile

import pytest

from gateway import BINARY, ROOT, environment

# Copying and compressing the debug program is slow.
pytestmark = pytest.mark.timeout(900)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=840, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """The archive. `make release` also compares the program's libraries with the documented ones."""
    folder = tmp_path_factory.mktemp("dist")
    run("make", "--no-print-directory", "release", f"PROGRAM={BINARY}", f"DIST={folder}", "COMPRESSION=--fast", cwd=ROOT)
    [path] = folder.glob("*.tar.gz")
    assert sorted(entry.name for entry in folder.iterdir()) == [path.name, path.name + ".sha256"]
    return path


@pytest.fixture(scope="module")
def unpacked(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    run("tar", "--extract", "--gzip", "--file", archive, "--directory", folder)
    [top] = folder.iterdir()
    assert archive.name == f"{top.name}.tar.gz"
    return top


def commands():
    """Every command listed in the help, from the names of the golden help texts; "" for the program itself."""
    names = {path.stem for path in (ROOT / "Tests/Program/CLITests/Golden/Help").glob("*.txt")}
    return sorted("" if name == "pushcote" else name for name in names)


def test_the_checksum_is_the_archives(archive):
    assert run("sha256sum", "--check", archive.name + ".sha256", cwd=archive.parent) == f"{archive.name}: OK\n"


def test_the_archive_is_named_after_version_and_machine(archive):
    version = run(BINARY, "--version").strip()
    assert archive.name == f"pushcote-{version}-linux-{os.uname().machine}.tar.gz"


def test_files_are_readable_by_all_and_writable_by_the_owner_only(archive):
    with tarfile.open(archive) as tar:
        for entry in tar:
            assert (entry.uid, entry.gid) == (0, 0), entry.name
            assert entry.mode & 0o444 == 0o444 and not entry.mode & 0o7022, (entry.name, oct(entry.mode))
            assert entry.isfile() or entry.isdir(), entry.name


def test_the_program_runs_from_the_archive(unpacked, tmp_path):
    version = run(unpacked / "bin/pushcote", "--version", cwd=tmp_path, env=environment())
    assert version == run(BINARY, "--version")


def test_the_licence_is_in_the_archive(unpacked):
    assert (unpacked / "share/doc/pushcote/LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_extensions_find_the_source_that_they_are_compiled_against(unpacked):
    """The program looks in share/pushcote/kit, which must contain the same sources as the repository."""
    for folder in ("Extensions/AppleFacade", "Extensions/ExtensionWire", "Extensions/ServiceExtensionRuntime"):
        run("diff", "--recursive", ROOT / "Sources" / folder, unpacked / "share/pushcote/kit" / folder)


def test_every_command_has_a_man_page(unpacked):
    pages = {path.name: path.read_text() for path in (unpacked / "share/man/man1").iterdir()}
    assert set(pages) == {f"pushcote{'-' if name else ''}{name}.1" for name in [*commands(), "help"]}
    for name, text in pages.items():
        title = name.removesuffix(".1")
        assert re.search(rf"^\.Dt {title.upper()} 1$", text, re.M) and re.search(r"^\.Nd \S", text, re.M), name
        for linked in re.findall(r"^\.Xr (\S+) 1", text, re.M):
            assert f"{linked}.1" in pages, (name, linked)
    assert "config" in pages["pushcote-serve.1"] and "timeout" in pages["pushcote-wait.1"]


def test_bash_completes_commands_and_options(unpacked):
    script = unpacked / "share/bash-completion/completions/pushcote"

    def completed(*words):
        """The completions bash offers for the last word, called as readline calls them."""
        return run(
            "bash", "-c",
            'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; '
            '_pushcote pushcote "${@: -1}" "${@: -2:1}"; printf "%s\\n" "${COMPREPLY[@]}"',
            script, *words, env=environment(PATH=f"{unpacked / 'bin'}:{os.environ['PATH']}")).split()

    assert sorted(completed("pushcote", "de")) == ["demo", "device", "devices"]
    assert "--set" in completed("pushcote", "serve", "--")


@pytest.mark.parametrize("shell, file", [
    ("zsh", "zsh/site-functions/_pushcote"), ("fish", "fish/vendor_completions.d/pushcote.fish"),
])
def test_zsh_and_fish_accept_their_completions(unpacked, shell, file):
    script = unpacked / "share" / file
    text = script.read_text()
    assert "pushcote" in text and "demo" in text and "--set" in text.replace("-l 'set'", "--set")
    if shutil.which(shell):
        run(shell, "-n" if shell == "zsh" else "--no-execute", script)


def test_the_programs_icu_data_has_time_zones_and_no_converters(tmp_path):
    run(ROOT / "scripts/icu-data", tmp_path / "data.o")
    data = (tmp_path / "data.o").read_bytes()
    assert len(data) < 8_000_000
    for name in (b"/zoneinfo64.res", b"/en.res", b"/res_index.res", b"/coll/root.res"):
        assert name + b"\0" in data, name
    for name in (b"/de.res", b"/ibm-1047_P100-1995.cnv", b"/brkitr/thaidict.dict"):
        assert name + b"\0" not in data, name
