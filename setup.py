"""Makes the links of README.md absolute for the package page. Everything else is in pyproject.toml."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent


def read_description() -> str:
    """Returns README.md with links that work outside the repository."""
    source = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
    return re.sub(r"\]\((?![a-z]+:|#)", f"]({source}/", (ROOT / "README.md").read_text(encoding="utf-8"))


setup(long_description=read_description(), long_description_content_type="text/markdown")
