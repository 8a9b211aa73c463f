"""Checks that `serve` names its missing requirements before it starts anything."""

from __future__ import annotations

import sys

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.commands.main import main


@pytest.mark.parametrize("lang, said", [("en", "needs a package"), ("it", "manca un pacchetto"), ("es", "falta un paquete"),
                                        ("hu", "hiányzik egy csomag")])
def test_serve_names_the_missing_extra(monkeypatch, capsys, lang, said):
    for name in [name for name in sys.modules if name.startswith("ludoglot.engine.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    assert main(["serve", "--lang", lang]) == 1
    err = capsys.readouterr().err
    assert said in err and "pip install 'ludoglot[web]'" in err and "Traceback" not in err


@pytest.mark.extra("web")
@pytest.mark.parametrize("args, code, said", [
    (["--port", "99999"], 1, "port 99999"), (["--port", "x"], 2, "not a whole number"),
    (["--base-url", "foo"], 2, "not a complete address"),
    (["--database", "nothing://x"], 2, "not in “nothing”"), (["--host", "no.such.host.invalid"], 1, "Cannot listen")])
def test_serve_explains_wrong_settings(capsys, tmp_path, monkeypatch, args, code, said):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", "--lang", "en", *args]) == code
    assert said in capsys.readouterr().err


@pytest.mark.extra("web")
@pytest.mark.parametrize("host, terminal, shown", [("0.0.0.0", True, True), ("127.0.0.1", True, False), ("0.0.0.0", False, False)])
def test_terminal_shows_the_qr_code_of_an_address_that_phones_can_reach(capsys, monkeypatch, host, terminal, shown):
    from ludoglot.engine.web import server
    from ludoglot.engine.web.qr_code import draw_qr_text
    monkeypatch.setattr(LocalizedConsole, "terminal", terminal)
    monkeypatch.setattr(server, "run_server", lambda settings, announce: announce("http://192.0.2.7:8420"))
    assert main(["serve", "--lang", "en", "--host", host]) == 0
    assert (draw_qr_text("http://192.0.2.7:8420") in capsys.readouterr().out) is shown


@pytest.mark.extra("web")
def test_a_password_comes_from_a_file_or_the_environment(capsys, tmp_path, monkeypatch):
    from ludoglot.engine.web import server
    found = []
    monkeypatch.setattr(server, "run_server", lambda settings, announce: found.append(settings.password))
    (tmp_path / "secret").write_text("sesame\nmore\n")
    monkeypatch.setenv("LUDOGLOT_PASSWORD", "open")
    for args in ([], ["--password-file", str(tmp_path / "secret")], ["--password", "typed"]):
        assert main(["serve", "--lang", "en", *args]) == 0
    assert found == ["open", "sesame", "typed"]
    (tmp_path / "secret").write_text("\n")
    for file, said in (("secret", "contains no password"), ("missing", "cannot be read")):
        assert main(["serve", "--lang", "en", "--password-file", str(tmp_path / file)]) == 1
        assert said in capsys.readouterr().err
    assert len(found) == 3


@pytest.mark.extra("web")
def test_serve_warns_of_a_folder_that_others_can_open(capsys, tmp_path, monkeypatch):
    from ludoglot.engine.web import server
    monkeypatch.setattr(server, "run_server", lambda settings, announce: announce("http://127.0.0.1:8420"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "ludoglot").mkdir(mode=0o755)
    for mode, is_warned in ((0o755, True), (0o700, False)):
        (tmp_path / "ludoglot").chmod(mode)
        assert main(["serve", "--lang", "en"]) == 0
        assert (f"chmod 700 {tmp_path}/ludoglot" in " ".join(capsys.readouterr().out.split())) is is_warned
