"""Whether texts still say what rules do. A text of a thing that says something new while nothing about the thing is changed lies; so
does the old text of a thing whose effect is changed, which is therefore struck. Under `fits` a pack says that it is right all the same."""

from __future__ import annotations

from ..diagnostics import Findings
from ..reading.load import Source
from .laid import Laid
from .paths import text_key, value_path
from .rules import OverRules
from .steps import case_of


def check_texts(source: Source, laid: Laid, rules: OverRules, findings: Findings) -> None:
    """Compare what each pack says with what it does."""
    for pack in laid.packs:
        fits = set(pack.list_of("fits"))
        said = {str(name) for name in pack.data.get("set") or {}}
        touched = rules.touched.get(pack.name, set())
        values = {name.split(".")[1] for name in said if name.count(".") == 2 and not name.endswith((".name", ".text"))}
        numbers = {name.split(".")[0] for name in said if not name.endswith((".name", ".text"))}
        numbers |= set((pack.data.get("add") or {}).get("numbers") or {})
        for name in sorted(said - fits):
            where = value_path(source, name)
            if not name.endswith(".text") or where is None or len(where) != 5:
                continue
            member = str(where[3])
            spoken_of = member in touched | values or any(key.endswith(f"[{member}]") for key in touched)
            if not spoken_of and not any("{" + number in str(pack.data["set"][name]) for number in numbers):
                findings.add("H013", pack.key_place("set", name), name=name)
        for owner, node, place in rules.effects:
            effect = case_of(node)
            if owner is not pack or effect is None:
                continue
            for section, inner in (("enums", "members"), ("pieces", "copies")):
                for domain, found in source.data[section].items():
                    entry = found[inner].get(effect) if isinstance(found, dict) else None
                    name = f"{domain}.{effect}.text"
                    if not isinstance(entry, dict) or "text" not in entry or name in said | fits:
                        continue
                    if value_path(source, name) is not None and text_key((section, domain, inner, effect, "text")) == name:
                        findings.add("W401", place, name=name)
                        del entry["text"]
                        laid.texts.gone.add(name)
