from __future__ import annotations

import pytest
from ludoglot.engine.i18n import CountedNoun, Noun, ProperName

LEXICON = {
    "Terrain.forest": {"nom": "erdő", "acc": "erdőt", "sup": "erdőn", "pl": "erdők", "pl.acc": "erdőket"},
    "Terrain.tundra": {"nom": "tundra", "acc": "tundrát", "sup": "tundrán"},
    "Animal": {"nom": "állat", "acc": "állatot", "dat": "állatnak"},
    "Card": {"nom": "kártya", "acc": "kártyát", "members": "title"},
    "n.pawn": {"nom": "bábu", "acc": "bábut"},
}
ENGLISH = {"Card.fertile.name": "Termőföld", "Card.ice.name": "Eljegesedés", "Card.name": "card",
           "Animal.hydra.name": "Hydra", "Animal.name": "animal"}


@pytest.fixture
def hu(make_localizer):
    return make_localizer("hu", LEXICON, ENGLISH)


@pytest.mark.parametrize("template, noun, said", [
    ("Távolítsd el {t}~the.acc.", "Terrain.forest", "Távolítsd el az erdőt."),
    ("Távolítsd el {t}~the.acc.", "Terrain.tundra", "Távolítsd el a tundrát."),
    ("{t}~the.pl.acc vidd el!", "Terrain.forest", "Az erdőket vidd el!"),
    ("Állj {t}~an.sup!", "Terrain.forest", "Állj egy erdőn!"),
    ("A(z) {t} mellé", "Terrain.forest", "Az erdő mellé"),
    ("a(z) „{t}” kártya", "Terrain.tundra", "a „tundra” kártya"),
])
def test_nouns_take_stored_forms_and_their_article(hu, template, noun, said):
    assert hu.render(template, t=Noun(noun)) == said


@pytest.mark.parametrize("number, article", [
    (0, "a"), (1, "az"), (2, "a"), (4, "a"), (5, "az"), (10, "a"), (11, "a"), (15, "a"), (50, "az"), (55, "az"), (100, "a"), (500, "az"),
    (1000, "az"), (1500, "az"), (2000, "a"), (5000, "az"), (10_000, "a"), (50_000, "az"), (100_000, "a"), (1_000_000, "az"), (-5, "a")])
def test_article_before_a_number_follows_its_pronunciation(hu, number, article):
    assert hu.render("ez {n}~the", n=number).split()[1] == article
    assert hu.render("ez a(z) {n} szám", n=number).split()[1] == article


@pytest.mark.parametrize("label, article", [("d3", "a"), ("e4", "az"), ("f2", "az"), ("b1", "a"),
    ("X", "az"), ("Anna", "az"), ("Piero", "a"), ("Yvonne", "az")])
def test_the_article_before_a_label_follows_its_letter(hu, label, article):
    assert hu.render("ez a(z) {x}", x=ProperName(label)) == f"ez {article} {label}"


@pytest.mark.parametrize("name, case, said", [
    ("ANNA", "dat", "ANNÁNAK"), ("3. játékos", "dat", "3. játékosnak"),
    ("PIERO", "dat", "PIERÓNAK"), ("Anna", "acc", "Annát"), ("Anna", "ins", "Annával"),
    ("Imre", "sub", "Imrére"),
    ("Péter", "acc", "Pétert"), ("Péter", "ins", "Péterrel"), ("Tamás", "acc", "Tamást"), ("Tamás", "ins", "Tamással"),
    ("Balázs", "ins", "Balázzsal"), ("György", "ins", "Györggyel"), ("György", "all", "Györgyhöz"), ("Márk", "acc", "Márkot"),
    ("Dániel", "dat", "Dánielnek"), ("Mari", "dat", "Marinak"), ("Tibi", "dat", "Tibinek"), ("Bernadett", "ins", "Bernadettel"),
    ("Ödön", "sup", "Ödönön"), ("d3", "acc", "d3-at"), ("d3", "sub", "d3-ra"), ("d2", "sup", "d2-n"), ("d5", "acc", "d5-öt"),
    ("e1", "ins", "e1-gyel"), ("e4", "ins", "e4-gyel"), ("d8", "ins", "d8-cal"), ("c10", "acc", "c10-et"), ("d3.nw", "sub", "d3.nw-re"),
    ("BOT 2", "dat", "BOT 2-nek")])
def test_names_and_labels_are_declined_by_rule(hu, name, case, said):
    assert hu.render("{x}~" + case, x=ProperName(name)) == said


def test_every_case_keeps_the_stem_of_a_name(hu):
    for name in ("Anna", "Jo", "d3", "K", "Kft", "王", "", "3", "!", "Zoë", "a b", "Anna (2)"):
        for case in hu.grammar.cases:
            assert name in hu.render("{x}~" + case, x=ProperName(name)) or hu.render("{x}~" + case, x=ProperName(name)).startswith(
                name[:-1]
            )


def test_counted_nouns_stay_singular(hu):
    assert hu.render("{n}~n.pawn, {m}~n.pawn.acc, {k}~the.n.pawn.acc", n=1, m=2, k=5) == "1 bábu, 2 bábut, az 5 bábut"
    assert hu.render("{n}~acc és {m}~acc", n=3, m=10) == "3-at és 10-et"
    assert hu.value(CountedNoun(4, Noun("Terrain.forest")), ["acc"]) == "4 erdőt"


def test_case_ending_of_a_title_goes_to_its_type(hu):
    assert hu.render("Vedd el {c}~the.acc!", c=Noun("Card.fertile")) == "Vedd el a Termőföld kártyát!"
    assert hu.render("Vedd el {c}~the.acc!", c=Noun("Card.ice")) == "Vedd el az Eljegesedés kártyát!"
    assert hu.render("{c}: 3", c=Noun("Card.fertile")) == "Termőföld: 3"


def test_noun_without_forms_gets_a_neutral_wording(hu):
    assert hu.render("Vedd le {a}~the.acc!", a=Noun("Animal.hydra")) == "Vedd le a Hydra nevű állatot!"
    assert hu.render("Vedd le {a}~the.acc!", a=Noun("Nobody.knows")) == "Vedd le a knowst!"


def test_an_ordinal_does_not_end_a_sentence(hu):
    assert hu.render("Az {n}. {t}. {t}", n=1, t=Noun("Terrain.forest")) == "Az 1. erdő. Erdő"


def test_vocative_has_no_article(hu):
    assert hu.render("{x}, mit teszel?", x=ProperName("1. játékos", seat=True)) == "Az 1. játékos, mit teszel?"
    assert hu.render("{x}~voc, mit teszel?", x=ProperName("1. játékos", seat=True)) == "1. játékos, mit teszel?"


def test_lists(hu):
    both = [Noun("Terrain.forest"), Noun("Terrain.tundra")]
    assert hu.render("Nézd {t}~the.acc!", t=both) == "Nézd az erdőt és a tundrát!"
    assert hu.list([ProperName("A"), ProperName("B"), ProperName("C")], "or") == "A, B vagy C"
