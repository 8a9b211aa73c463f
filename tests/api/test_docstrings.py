"""Checks that docstrings of the public API describe every argument, so that a reference can be generated from them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from ludoglot import api
from ludoglot.api import gymnasium, openspiel, pettingzoo
from ludoglot.engine.api.vector_matches import Vector


def public_members(found: object) -> Iterator[tuple[str, object]]:
    """Returns a public function, or the public methods and properties of a class, by name."""
    if inspect.isfunction(found):
        yield found.__name__, found
    elif inspect.isclass(found):
        yield from ((key, member) for kind in found.__mro__ if kind.__module__.startswith("ludoglot.") for key, member in vars(kind).items()
                    if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)))


PUBLIC = [*(getattr(api, name) for name in api.__all__), pettingzoo.environment, pettingzoo.Environment, openspiel.register,
          gymnasium.VectorEnvironment, Vector]


@pytest.mark.parametrize("found", [one for one in PUBLIC if callable(one)], ids=lambda found: found.__name__)
def test_public_members_have_docstrings_and_types(found):
    assert inspect.getdoc(found)
    for name, member in public_members(found):
        said = inspect.getdoc(member)
        assert said and said.split("\n")[0].endswith((".", ":")), f"the first line of {name} is not a sentence"
        signature = inspect.signature(member.fget if isinstance(member, property) else member)
        assert signature.return_annotation is not inspect.Signature.empty, name
        arguments = [argument for argument in signature.parameters if argument != "self"]
        described = said.partition("Arguments:")[2]
        assert all(f"    {argument}: " in described for argument in arguments), f"{name} does not describe {arguments}"
