"""Executable documentation: the shell blocks of a page, and the output shown below them."""

import re
import subprocess
from dataclasses import dataclass

from gateway import BINARY, ROOT, environment

# Values in the output that differ from run to run.
VARIES = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"
    r"|(?P<id>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})|(?P<seed>(?<=\"seed\":)\d+)"
    r"|(?P<millis>(?<=\"timestamp\":)\d+)|(?P<space> {2,})")
PATTERNS = {
    "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "id": r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    "seed": r"\d+", "millis": r"\d+", "space": " +",
}


@dataclass
class Block:
    page: str
    line: int
    section: str
    script: str
    # Pieces of output, in order; a page writes … where it omits something.
    shown: list

    def __str__(self):
        return f"{self.page}:{self.line}"


def pieces(text):
    """The pieces between the …, as patterns. A line that starts with one space continues the previous line."""
    joined = re.sub(r"\n (?=\S)", "", text)
    for piece in re.split(r"[ \t,]*…[ \t,]*|\n", joined):
        piece = piece.rstrip(" ,")
        if not piece.strip():
            continue
        pattern, end = "", 0
        for match in VARIES.finditer(piece):
            pattern += re.escape(piece[end:match.start()]) + PATTERNS[match.lastgroup]
            end = match.end()
        yield piece, re.compile(pattern + re.escape(piece[end:]))


def blocks(page, *sections):
    """The page's shell blocks with the output shown below each, optionally limited to the named sections."""
    found, section, fence = [], "", None
    for number, line in enumerate((ROOT / page).read_text().split("\n"), 1):
        if fence is not None:
            if line.startswith("```"):
                text = "\n".join(body) + "\n"
                if fence == "sh":
                    found.append(Block(page, start, section, text, []))
                    follows = True
                elif follows and fence in ("", "json"):
                    found[-1].shown += pieces(text)
                    follows = False
                fence = None
            else:
                body.append(line)
        elif line.startswith("```"):
            fence, body, start = line[3:], [], number
        elif line.startswith("#"):
            section, follows = line.lstrip("# "), False
    return [block for block in found if not sections or block.section in sections]


def run(gateway, folder, chosen):
    """Runs blocks in one shell, as a reader does, and returns the output of each. Only the ports are replaced."""
    ends = [f"end of block {number} {id(chosen)}" for number in range(len(chosen))]
    script = "".join(f"{block.script}\necho '{end}'\n" for block, end in zip(chosen, ends))
    script = script.replace("localhost:2197", f"localhost:{gateway.provider[1]}")
    for environment_name, port in (("sandbox", 2195), ("production", 2196)):
        script = script.replace(f"localhost:{port}", f"localhost:{gateway.channels[environment_name][1]}")
    script = script.replace("localhost:8197", f"localhost:{gateway.admin_address[1]}")
    programs = folder / ".build/release"
    programs.mkdir(parents=True, exist_ok=True)
    if not (programs / "pushcote").exists():
        (programs / "pushcote").symlink_to(BINARY)
    variables = environment(PUSHCOTE_ADMIN="http://127.0.0.1:%d" % gateway.admin_address[1], no_proxy="*")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True, timeout=120,
        env=variables | {"PATH": f"{programs}:{variables['PATH']}"})
    rest, outputs = done.stdout, []
    for block, end in zip(chosen, ends):
        assert end in rest, f"{block} ended with {done.returncode}: {rest}\n{done.stderr}"
        output, rest = rest.split(end + "\n", 1)
        outputs.append(output)
    assert done.returncode == 0, done.stderr
    return outputs


def difference(block, output):
    """The first piece shown on the page that the output lacks or has out of order; None if there is none."""
    place = 0
    for text, pattern in block.shown:
        match = pattern.search(output, place)
        if not match:
            return f"{block} shows {text!r}, which does not follow\n{output[:place]}\nin\n{output[place:]}"
        place = match.end()
    return None
