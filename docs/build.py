"""Builds the documentation site.

    python docs/build.py                  writes the site to site/
    python docs/build.py --fast           without rulebooks and pictures of games
    python docs/build.py --serve          builds it, then serves it at http://127.0.0.1:8000

The build fails if there is a broken link, a missing anchor, or a file from another host. Install `.[docs]` first.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
import tempfile
import time
from pathlib import Path

from sitegen.generate import add_generated_pages
from sitegen.links import find_problems
from sitegen.render import render_site
from sitegen.staging import ROOT, Stage, empty_folder


def build_site(out: Path, fast: bool = False, jobs: int = 2) -> list[str]:
    """Builds the site into a folder and returns its problems."""
    with tempfile.TemporaryDirectory(prefix="ludoglot-docs-") as name:
        stage = Stage(Path(name))
        add_generated_pages(stage, fast, jobs)
        stage.add_documents()
        stage.write()
        warnings = render_site(stage, empty_folder(out))
    return warnings + find_problems(out)


def serve_site(out: Path, port: int) -> None:
    """Serves the site on this computer until Ctrl+C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(out))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{port}  (Ctrl+C stops)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def main() -> int:
    arguments = argparse.ArgumentParser(description="Build the documentation site.")
    arguments.add_argument("--out", type=Path, default=ROOT / "site", help="folder of the site (default: site)")
    arguments.add_argument("--fast", action="store_true", help="leave out rulebooks and pictures of games")
    arguments.add_argument("--jobs", type=int, default=2, help="processes for rulebooks and pictures (default: 2)")
    arguments.add_argument("--serve", action="store_true", help="serve the site on this computer")
    arguments.add_argument("--port", type=int, default=8000, help="port for --serve (default: 8000)")
    given = arguments.parse_args()
    if given.out.exists() and any(given.out.iterdir()) and not (given.out / "sitemap.xml").exists():
        print(f"{given.out} contains files that are not a built site. Choose another folder with --out.", file=sys.stderr)
        return 2
    start = time.monotonic()
    problems = build_site(given.out.resolve(), given.fast, given.jobs)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{given.out}: {sum(1 for _ in given.out.rglob('*.html'))} pages, {len(problems)} problems, {time.monotonic() - start:.0f} s")
    if given.serve:
        serve_site(given.out, given.port)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
