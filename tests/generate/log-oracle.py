"""Verifies with aics-tlog, an independent implementation, what it reads as JSON; writes a list of true and false."""

import json
import sys

import aics_tlog as tlog


def inclusion(leaf, index, size, proof, root):
    return tlog.verify_inclusion(unhex(leaf), index, size, [unhex(step) for step in proof], unhex(root))


def consistency(old_size, new_size, old_root, new_root, proof):
    steps = [unhex(step) for step in proof]
    return tlog.verify_consistency(old_size, new_size, unhex(old_root), unhex(new_root), steps)


def checkpoint(note, key, witnesses, quorum):
    keys = [tlog.parse_vkey(witness) for witness in witnesses]
    result = tlog.verify_checkpoint(tlog.parse_note(note), tlog.parse_vkey(key), keys, quorum)
    return result.ok


def tiles(folder, size, root):
    tlog.audit_tiles(tlog.FileSystemTileReader(folder), size, unhex(root))
    return True


def unhex(text):
    return bytes.fromhex(text)


def answer(case):
    kind, *values = case
    try:
        return globals()[kind](*values)
    except (ValueError, tlog.TileMissingError, tlog.TileVerificationError):
        return False


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
