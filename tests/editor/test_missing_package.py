"""Checks that the language server explains which package it needs, if the package is missing."""

from __future__ import annotations

import sys

import pytest
from ludoglot.engine.commands.main import main

SENTENCES = {"en": "needs a package", "it": "manca un pacchetto", "es": "falta un paquete", "hu": "hiányzik egy csomag"}


@pytest.mark.parametrize(("lang", "said"), SENTENCES.items())
def test_the_missing_package_is_named(lang: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("ludoglot.engine.lsp.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("lsprotocol", "pygls"):
        monkeypatch.setitem(sys.modules, name, None)               # type: ignore[arg-type]
    assert main(["lsp", "--lang", lang]) == 1
    out, err = capsys.readouterr()
    assert out == "" and said in err and "pip install 'ludoglot[lsp]'" in err
