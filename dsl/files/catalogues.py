"""Catalogues of translations as gettext writes them (.po), read by Babel, the one place that knows what that may stumble over."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages import Catalog


def read_catalogue(file: IO[bytes]) -> Catalog:
    """The catalogue in a file. Raises ValueError with what is wrong with it."""
    from babel.messages.pofile import PoFileError, read_po

    try:                                                            # imported here: mostly a kept copy is read instead
        return read_po(file, abort_invalid=True)
    except (PoFileError, LookupError, ValueError) as error:
        raise ValueError(str(error)) from error
    except (TypeError, AttributeError) as error:                    # Babel takes what a header says as it stands
        raise ValueError("header") from error
