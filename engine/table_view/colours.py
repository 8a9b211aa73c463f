"""Colour arithmetic: contrast, blending, and perceived difference, also for colour-blind people."""

from __future__ import annotations

from functools import lru_cache
from math import dist

MIN_TEXT_CONTRAST = 4.5                                                       # for small text (WCAG AA)
MIN_SIGN_CONTRAST = 3.0                                                       # for signs and bold text
BLEND_STEPS = 20
Rgb = tuple[float, float, float]
VISIONS: dict[str, tuple[Rgb, Rgb, Rgb]] = {                       # linear RGB (Machado, Oliveira, Fernandes 2009, severity 1)
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def blend(one: str, two: str, part: float) -> str:
    """Returns a blend of two colours, with the share `part` of the first."""
    return "#" + "".join(f"{round(int(one[n : n + 2], 16) * part + int(two[n : n + 2], 16) * (1 - part)):02x}" for n in (1, 3, 5))


def ensure_contrast(colour: str, other: str, end: str, enough: float = MIN_TEXT_CONTRAST) -> str:
    """Returns `colour`, blended towards `end` until its contrast with `other` is at least `enough`."""
    steps = (blend(colour, end, 1 - n / BLEND_STEPS) for n in range(BLEND_STEPS))
    return next((step for step in steps if contrast(step, other) >= enough), end)


@lru_cache(1000)
def readable_on_any_ground(colour: str) -> str:
    """Returns `colour`, darkened or lightened until it can be read on dark and on light terminals."""
    black, white = "#000000", "#ffffff"
    return ensure_contrast(ensure_contrast(colour, white, black, MIN_SIGN_CONTRAST), black, white, MIN_SIGN_CONTRAST)


@lru_cache(1000)
def contrast(one: str, two: str) -> float:
    """Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    low, high = sorted((relative_luminance(one), relative_luminance(two)))
    return (high + 0.05) / (low + 0.05)


def relative_luminance(colour: str) -> float:
    """Returns the relative luminance of #rrggbb (WCAG 2)."""
    red, green, blue = linear_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear_rgb(colour: str) -> Rgb:
    """Returns #rrggbb as linear RGB."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return linear_channel(red), linear_channel(green), linear_channel(blue)


def linear_channel(part: float) -> float:
    """Returns a channel of sRGB, from 0 to 1, as linear light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def colour_distance(one: str, two: str, vision: str = "all") -> float:
    """Returns the perceived difference of two colours in hundredths (Oklab). Below 2, they look the same."""
    return 100 * dist(to_oklab(one, vision), to_oklab(two, vision))


@lru_cache(1000)
def to_oklab(colour: str, vision: str = "all") -> Rgb:
    """Returns a colour as it is perceived with this kind of vision, in Oklab."""
    given = linear_rgb(colour)
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, given)))) for row in VISIONS[vision])
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
            1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
            0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short)
