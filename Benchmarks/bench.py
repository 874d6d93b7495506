#!/usr/bin/env python3
"""Measures Pushcote beside nghttpd: the same machine, the same minutes, the same client, traffic as back ends send it.

Each server is pinned to one core and the load generator to another; rounds alternate between the servers. CPU time comes from
the servers' own schedstat, so waiting does not count, and neither does the generator. Times differ from run to run: read the
ratios. Instructions hardly differ.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile

from rows import PARTS
from servers import BUILD


class Report:
    """Prints each row at once and collects the bars that were missed."""

    def __init__(self):
        self.missed = []

    def row(self, text):
        print(text, flush=True)

    def bar(self, value, bar, text, least=False):
        if value < bar if least else value > bar:
            self.missed.append(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--client-core", type=int, default=1 if (os.cpu_count() or 1) > 1 else 0)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="only these parts")
    parser.add_argument("--pushes", type=int, default=1_000_000, help="how many notifications the crowd stores")
    parser.add_argument("--journal-folder", help="folder of the journal file; the disk decides")
    parser.add_argument("--check", action="store_true", help="fail when a bar is missed")
    args = parser.parse_args()
    for tool in ("nghttpd", "taskset", "valgrind", BUILD / "load-generator"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing: run `make bench`, which installs and builds what it needs")

    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "config.yaml").write_text("# every setting at its default\n")
        for part in args.only:
            PARTS[part](folder, args, report)
    for line in report.missed:
        print(f"missed: {line}")
    if report.missed and args.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
