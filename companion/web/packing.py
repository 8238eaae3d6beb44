"""gzip made of pieces: what many answers share is packed once."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_END = b"\x03\0"
"""An empty last block of a deflate stream."""


@dataclass(frozen=True)
class Piece:
    """A part of answers."""

    plain: bytes

    @cached_property
    def deflated(self) -> bytes:
        """Blocks of a deflate stream that refer to nothing before them."""
        packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(zlib.Z_FULL_FLUSH)


def joined(pieces: Iterable[Piece], is_packed: bool) -> bytes:
    """The pieces, one after the other: plain, or as one gzip file."""
    return packed(pieces) if is_packed else b"".join(piece.plain for piece in pieces)


def packed(pieces: Iterable[Piece]) -> bytes:
    """The pieces, one after the other, as one gzip file."""
    checksum = length = 0
    blocks = [_HEAD]
    for piece in pieces:
        checksum = zlib.crc32(piece.plain, checksum)
        length += len(piece.plain)
        blocks.append(piece.deflated)
    return b"".join((*blocks, _END, struct.pack("<LL", checksum, length & 0xFFFFFFFF)))
