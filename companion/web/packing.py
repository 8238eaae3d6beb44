"""gzip made of pieces: what many answers share is packed once."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from functools import lru_cache

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_END = b"\x03\0"
"""An empty last block of a deflate stream."""


def packed(pieces: Iterable[bytes]) -> bytes:
    """The pieces, one after the other, as one gzip file."""
    checksum = length = 0
    blocks = [_HEAD]
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
        length += len(piece)
        blocks.append(_deflated(piece))
    return b"".join((*blocks, _END, struct.pack("<LL", checksum, length & 0xFFFFFFFF)))


@lru_cache(maxsize=128)
def _deflated(piece: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
