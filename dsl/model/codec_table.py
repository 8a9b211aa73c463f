"""The codecs of all types of one game."""

from __future__ import annotations

from typing import Any

from ..types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .codec import Codec
from .container_codecs import BagCodec, FrozenSetCodec, ListCodec, MaskCodec
from .model import GameModel
from .scalar_codecs import BoolCodec, MemberCodec, NoneCodec, NumberCodec, OptionalCodec


class CodecTable:
    """The codecs of one game, each built on first use."""

    def __init__(self, model: GameModel) -> None:
        self.model = model
        self.made: dict[Type, Codec[Any]] = {}

    def codec_for(self, type_: Type) -> Codec[Any]:
        """Returns the codec of a type."""
        codec = self.made.get(type_)
        if codec is None:
            codec = self.made[type_] = self.build_codec(type_)
        return codec

    def member_codec(self, domain: str) -> MemberCodec:
        """Returns the codec of the members of an enumeration, cells of a board, or pieces."""
        codec = self.codec_for(MemberOf(domain))
        assert isinstance(codec, MemberCodec)
        return codec

    def build_codec(self, type_: Type) -> Codec[Any]:
        match type_:
            case Int():
                return NumberCodec(type_)
            case Bool():
                return BoolCodec(type_)
            case MemberOf():
                enum = self.model.enum_of(type_.name)
                assert enum is not None
                return MemberCodec(type_, enum)
            case OptionalOf():
                return OptionalCodec(type_, self.codec_for(type_.of))
            case SetOf():
                inner = self.codec_for(type_.of)
                return (
                    MaskCodec(type_, inner)
                    if isinstance(inner, MemberCodec) and self.is_mask_element(type_.of)
                    else FrozenSetCodec(type_, inner)
                )
            case ListOf() | PileOf():
                return ListCodec(type_, self.codec_for(type_.of))
            case BagOf():
                return BagCodec(type_, self.member_codec(type_.of.name))
        return NoneCodec(type_)

    def is_open(self, type_: Type) -> bool:
        """Whether a type is a cell of an open board, which has no edge."""
        enum = self.model.enum_of(type_.name) if isinstance(type_, MemberOf) else None
        return enum is not None and enum.kind == "open"

    def is_mask_element(self, of: Type) -> bool:
        """Whether a set of this type is a bitmask: its elements are members of a finite enumeration."""
        return isinstance(of, MemberOf) and not self.is_open(of)
