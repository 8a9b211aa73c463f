from __future__ import annotations

import pytest
from ludoglot.engine.i18n import Noun, ProperName
from ludoglot.engine.i18n.grammar.es import starts_with_stressed_a

ITALIAN = {
    "T.forest": {"sg": "foresta", "pl": "foreste", "g": "f"}, "T.water": {"sg": "acqua", "pl": "acque", "g": "f"},
    "T.space": {"sg": "spazio", "pl": "spazi", "g": "m"}, "T.insect": {"sg": "insetto", "pl": "insetti", "g": "m"},
    "T.sea": {"sg": "mare", "pl": "mari", "g": "m"}, "T.uncle": {"sg": "zio", "pl": "zii", "g": "m"}, "T.hyena": {"sg": "iena",
    "pl": "iene", "g": "f"},
    "T.gods": {"sg": "dio", "pl": "dei", "g": "m", "pl.the": "gli dei"}, "T.red": {"sg": "Rosso", "article": "none"},
    "A": {"sg": "animale", "pl": "animali", "g": "m"}, "Card": {"sg": "carta", "pl": "carte", "g": "f", "members": "title"},
    "n.pawn": {"sg": "pedina", "pl": "pedine", "g": "f"},
}
NAMES = {"A.hydra.name": "Hydra", "A.name": "animal", "Card.fertile.name": "Fertile", "Card.name": "card"}


@pytest.mark.parametrize("markers, noun, said", [
    ("the", "forest", "la foresta"), ("the", "water", "l'acqua"), ("the", "space", "lo spazio"), ("the", "insect", "l'insetto"),
    ("the", "sea", "il mare"), ("the", "uncle", "lo zio"), ("the", "hyena", "la iena"),
    ("pl.the", "forest", "le foreste"), ("pl.the", "space", "gli spazi"), ("the.pl", "insect", "gli insetti"), ("pl.the", "sea", "i mari"),
    ("pl.the", "gods", "gli dei"), ("the", "red", "Rosso"),
    ("an", "forest", "una foresta"), ("an", "water", "un'acqua"), ("an", "space", "uno spazio"), ("an", "insect", "un insetto"),
    ("di.the", "forest", "della foresta"), ("the.di", "water", "dell'acqua"), ("in.the", "space", "nello spazio"), ("su.the", "water",
    "sull'acqua"),
    ("a.the", "sea", "al mare"), ("da.the", "space", "dallo spazio"), ("di.the.pl", "insect", "degli insetti"), ("su.pl.the", "sea",
    "sui mari"),
    ("in.the.pl", "water", "nelle acque"), ("a", "water", "ad acqua"), ("di", "forest", "di foresta"), ("di.an", "space", "di uno spazio"),
    ("pl", "sea", "mari"), ("", "sea", "mare"),
])
def test_italian_articles_and_contractions(make_localizer, markers, noun, said):
    assert make_localizer("it", ITALIAN, NAMES).noun(f"T.{noun}", *markers.split(".")) == said


def test_italian_numbers_names_and_neutral_wordings(make_localizer):
    it = make_localizer("it", ITALIAN, NAMES)
    assert it.render("sono {n}~n.pawn e {m}~the.n.pawn", n=1, m=2) == "sono 1 pedina e le 2 pedine"
    assert it.render("{a}~the, {b}~the, {c}~the, {d}~di.the", a=8, b=11, c=3, d=80) == "L'8, l'11, il 3, dell'80"
    assert it.render("tocca {x}~a.the, non {y}~a.the; {z}~su.the", x=ProperName("ANNA"), y=ProperName("PIERO"), z=ProperName("d3")) \
        == "tocca ad ANNA, non a PIERO; su d3"
    assert it.render("guarda {a}~da.the", a=Noun("A.hydra")) == "guarda dall'animale Hydra"
    assert it.render("prendi {c}~the, effetto {c}~di.the", c=Noun("Card.fertile")) == "prendi la carta Fertile, effetto della carta Fertile"
    assert it.list([Noun("T.sea"), ProperName("Elena")]) == "mare ed Elena"
    assert it.list([Noun("T.sea"), ProperName("Elena")], "or") == "mare o Elena"


SPANISH = {
    "T.water": {"sg": "agua", "pl": "aguas", "g": "f"}, "T.sand": {"sg": "arena", "pl": "arenas", "g": "f"}, "T.sea": {"sg": "mar",
    "pl": "mares", "g": "m"},
    "T.bird": {"sg": "ave", "pl": "aves", "g": "f"}, "n.token": {"sg": "ficha", "pl": "fichas", "g": "f"},
}


@pytest.mark.parametrize("markers, noun, said", [
    ("the", "water", "el agua"), ("an", "water", "un agua"), ("the.pl", "water", "las aguas"), ("de.the", "water", "del agua"),
    ("the", "sand", "la arena"), ("de.the", "sand", "de la arena"), ("a.the", "sea", "al mar"), ("de.the.pl", "sea", "de los mares"),
    ("an.pl", "bird", "unas aves"), ("the", "bird", "el ave"), ("a.the", "bird", "al ave"), ("an", "sea", "un mar"), ("de", "sea",
    "de mar")])
def test_spanish_articles_and_contractions(make_localizer, markers, noun, said):
    assert make_localizer("es", SPANISH).noun(f"T.{noun}", *markers.split(".")) == said


def test_spanish_stress():
    for word in ["agua", "águila", "área", "arma", "alma", "aula", "ave", "hacha", "hada", "hambre", "ala", "alga", "ancla", "asta",
    "árbol", "ácido"]:
        assert starts_with_stressed_a(word), word
    for word in ["arena", "amiga", "avena", "araña", "animación", "habitación", "azúcar", "sal", "almohada"]:
        assert not starts_with_stressed_a(word), word


def test_spanish_numbers(make_localizer):
    es = make_localizer("es", SPANISH)
    assert es.render("{n}~n.token, {m}~n.token, {k}~the.n.token", n=1, m=2, k=3) == "1 ficha, 2 fichas, las 3 fichas"


@pytest.mark.parametrize("items, style, said", [
    (["padre", "hijo"], "and", "padre e hijo"), (["agua", "hielo"], "and", "agua y hielo"), (["aves", "insectos"], "and",
    "aves e insectos"),
    (["uno", "otro"], "or", "uno u otro"), (["siete", "ocho"], "or", "siete u ocho"), ([7, 8], "or", "7 u 8"), ([10, 11], "or", "10 u 11"),
    (["a", "b", "iguana"], "and", "a, b e iguana"), (["a", "b"], "or", "a o b")])
def test_spanish_conjunctions(make_localizer, items, style, said):
    assert make_localizer("es").list(items, style) == said
