"""Goal: receipts are judged as the client in TypeScript judges them, whatever byte of them is another one.

COUNTERSIGN_RECEIPTS is a file of receipts with those verdicts; without it, the tests that need it are skipped.
"""

import base64
import hashlib
import json
import os
import unittest
from pathlib import Path

from countersign import Key, LedgerUntrusted, verify_receipt
from countersign.log import InclusionProof, Sighting, root_by_inclusion, sighting_on

VECTORS = os.environ.get("COUNTERSIGN_RECEIPTS", "")


@unittest.skipUnless(VECTORS, "COUNTERSIGN_RECEIPTS is not set")
class Receipts(unittest.TestCase):
    def test_are_judged_as_by_the_other_client(self) -> None:
        cases = json.loads(Path(VECTORS).read_text("utf-8"))
        self.assertGreater(sum(each["isProven"] for each in cases), 1)
        for case in cases:
            with self.subTest(case["faults"]):
                try:
                    proven = verify_receipt(case["text"], trust=case["trust"], witnesses=case["witnesses"])
                except LedgerUntrusted as error:
                    self.assertEqual((False, str(error)), (case["isProven"], case["faults"]))
                    continue
                self.assertTrue(case["isProven"], case["faults"])
                seen = [{"witness": each.witness, "moment": each.moment} for each in proven.seen]
                self.assertEqual((proven.moment, seen), (case["moment"], case["seen"]))


class Sightings(unittest.TestCase):
    def test_of_a_time_that_no_moment_has_are_none(self) -> None:
        key = Key.new()
        typed = bytes([4]) + base64.b64decode(key.public)
        id = hashlib.sha256(b"w.example\n" + typed).digest()[:4]
        vkey = f"w.example+{id.hex()}+{base64.b64encode(typed).decode()}"
        text = f"origin\n7\n{base64.b64encode(bytes(32)).decode()}\n"

        def seen_at(seconds: int) -> object:
            signature = key.sign(f"cosignature/v1\ntime {seconds}\n{text}".encode())
            line = base64.b64encode(id + seconds.to_bytes(8, "big") + signature).decode()
            return sighting_on(f"{text}\n\u2014 w.example {line}\n", vkey)

        self.assertEqual(seen_at(253402300799), Sighting("w.example", "9999-12-31T23:59:59.000Z"))
        for seconds in [253402300800, 2**50]:
            self.assertEqual(seen_at(seconds), "The witness w.example has not cosigned the checkpoint.")


class Paths(unittest.TestCase):
    def test_of_another_length_lead_to_no_root(self) -> None:
        for index, size, length in [(0, 1, 1), (0, 2, 0), (0, 2, 2), (2, 3, 2), (5, 5, 0)]:
            self.assertIsNone(root_by_inclusion(b"", size, InclusionProof(index, [b""] * length, "")))
