"""Goal: receipts are judged as the client in TypeScript judges them, whatever byte of them is another one.

COUNTERSIGN_RECEIPTS is a file of receipts with those verdicts; without it, the tests that need it are skipped.
"""

import json
import os
import unittest
from pathlib import Path

from countersign import LedgerUntrusted, verify_receipt
from countersign.log import InclusionProof, root_by_inclusion

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


class Paths(unittest.TestCase):
    def test_of_another_length_lead_to_no_root(self) -> None:
        for index, size, length in [(0, 1, 1), (0, 2, 0), (0, 2, 2), (2, 3, 2), (5, 5, 0)]:
            self.assertIsNone(root_by_inclusion(b"", size, InclusionProof(index, [b""] * length, "")))
