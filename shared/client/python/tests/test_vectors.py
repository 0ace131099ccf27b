"""Goal: hashes, signatures, tokens and webhooks are those of the service, by its own vectors, without a network."""

import base64
import copy
import json
import os
import stat
import struct
import tempfile
import time
import unittest
from decimal import Decimal
from pathlib import Path

from countersign import (
    Key,
    LedgerUntrusted,
    WebhookRefused,
    canonical_of,
    destroy,
    hash_of,
    is_proof_of,
    issue,
    money,
    prove,
    token_for,
    transfer,
    verify_record,
    verify_webhook,
)
from countersign.canonical import parse
from countersign.proofs import bytes_in, is_signed

REPOSITORY = Path(__file__).resolve().parents[4]
WIRE = json.loads((REPOSITORY / "test/vectors/wire.json").read_text("utf-8"))
KEY = Key.from_secret(WIRE["keys"]["A"]["secret"])


class Canonical(unittest.TestCase):
    def test_numbers_of_rfc_8785(self) -> None:
        """Appendix B: the bits of a double, and its text."""
        for bits, text in {
            "0000000000000000": "0",
            "8000000000000000": "0",
            "0000000000000001": "5e-324",
            "8000000000000001": "-5e-324",
            "7fefffffffffffff": "1.7976931348623157e+308",
            "ffefffffffffffff": "-1.7976931348623157e+308",
            "4340000000000000": "9007199254740992",
            "c340000000000000": "-9007199254740992",
            "4430000000000000": "295147905179352830000",
            "44b52d02c7e14af5": "9.999999999999997e+22",
            "44b52d02c7e14af6": "1e+23",
            "44b52d02c7e14af7": "1.0000000000000001e+23",
            "444b1ae4d6e2ef4e": "999999999999999700000",
            "444b1ae4d6e2ef4f": "999999999999999900000",
            "444b1ae4d6e2ef50": "1e+21",
            "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
            "3eb0c6f7a0b5ed8d": "0.000001",
            "41b3de4355555553": "333333333.3333332",
            "41b3de4355555557": "333333333.33333343",
            "becbf647612f3696": "-0.0000033333333333333333",
            "43143ff3c1cb0959": "1424953923781206.2",
        }.items():
            (number,) = struct.unpack(">d", bytes.fromhex(bits))
            self.assertEqual(canonical_of(number), text)

    def test_members_are_sorted_by_utf_16(self) -> None:
        """RFC 8785 3.2.3: an emoji comes before U+FB33."""
        names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
        text = canonical_of({name: 0 for name in names})
        self.assertEqual(list(parse(text)), ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"])

    def test_texts_are_escaped_as_ecmascript_does(self) -> None:
        self.assertEqual(canonical_of("\u20ac$\u000f\nA'B\"\\/\u007f"), '"\u20ac$\\u000f\\nA\'B\\"\\\\/\u007f"')

    def test_integers_are_exact(self) -> None:
        balance = 10**38 - 1
        self.assertEqual(canonical_of(parse(f'{{"amount":{balance}}}')), f'{{"amount":{balance}}}')
        self.assertEqual(canonical_of([True, False, None, -0, (1, 2)]), "[true,false,null,0,[1,2]]")

    def test_what_is_no_json_is_refused(self) -> None:
        for value in [float("nan"), float("inf"), "\ud800", {"\udfff": 1}]:
            with self.assertRaises(ValueError):
                canonical_of(value)
        for thing in [Decimal("1.5"), {1: 2}, b"x", {"a"}]:
            with self.assertRaises(TypeError):
                canonical_of(thing)
        circle: list = []
        circle.append(circle)
        with self.assertRaises(ValueError):
            canonical_of(circle)
        for text in ["NaN", "[Infinity]", '{"a":1,"a":2}', "[" * 100_000]:
            with self.assertRaises(ValueError):
                parse(text)

    @unittest.skipUnless("COUNTERSIGN_SAMPLES" in os.environ, "the runtime's test gives samples")
    def test_random_values_print_as_the_service_prints_them(self) -> None:
        samples = json.loads(Path(os.environ["COUNTERSIGN_SAMPLES"]).read_text("utf-8"))
        self.assertGreater(len(samples), 100)
        for text, canonical in samples:
            self.assertEqual(canonical_of(parse(text)), canonical)


class Proofs(unittest.TestCase):
    def test_published_proofs_verify_and_are_made_again(self) -> None:
        secrets = {key["public"]: key["secret"] for key in WIRE["keys"].values()}
        for record in WIRE["records"]:
            with self.subTest(record["name"]):
                proof = record["proof"]
                self.assertEqual(hash_of(record["data"]), record["hash"])
                self.assertTrue(is_proof_of(record["hash"], proof))
                signer = Key.from_secret(secrets[proof["public"]])
                self.assertEqual(prove(record["hash"], proof.get("custom"), signer), proof)

    def test_records_of_others_verify(self) -> None:
        for record in WIRE["published"]:
            answer = {"hash": record["hash"], "data": record["data"], "meta": {"proofs": record["proofs"]}}
            trust = record["proofs"][0]["public"]
            self.assertIs(verify_record(answer, trust=trust), answer)
            self.assertEqual(verify_record(json.dumps(answer), trust=trust), answer)
            self.assertEqual(verify_record(json.dumps(answer).encode(), trust=trust), answer)

    def test_a_list_is_hashed_as_its_records(self) -> None:
        self.assertEqual(hash_of(WIRE["list"]["data"]), WIRE["list"]["hash"])

    def test_no_change_is_believed(self) -> None:
        data = {"handle": "alice", "amount": 1}
        good = {"hash": hash_of(data), "data": data, "meta": {"proofs": [prove(hash_of(data), {"a": 1}, KEY)]}}
        verify_record(good, trust=KEY.public)
        proof = good["meta"]["proofs"][0]
        other = prove(hash_of(data), None, Key.new())
        for change in [
            {"hash": hash_of({})},
            {"hash": None},
            {"data": {**data, "amount": 2}},
            {"data": {**data, "amount": float("nan")}},
            {"meta": {"proofs": []}},
            {"meta": {"proofs": [other]}},
            {"meta": {"proofs": [None]}},
            {"meta": {"proofs": None}},
            {"meta": []},
            {"meta": {"proofs": [proof, {**other, "digest": "a" * 64}]}},
            {"meta": {"proofs": [{**proof, "custom": {"a": 2}}]}},
            {"meta": {"proofs": [{**proof, "custom": "x"}]}},
            {"meta": {"proofs": [{**proof, "result": other["result"]}]}},
            {"meta": {"proofs": [{**proof, "digest": 1}]}},
        ]:
            with self.subTest(change), self.assertRaises(LedgerUntrusted):
                verify_record({**copy.deepcopy(good), **change}, trust=KEY.public)
        for text in ["", "[]", "null", "{", b"\xff", '{"hash":"x","hash":"y"}']:
            with self.subTest(text), self.assertRaises(LedgerUntrusted):
                verify_record(text, trust=KEY.public)

    def test_weak_keys_sign_nothing(self) -> None:
        result = base64.b64encode(bytes([1]) + bytes(63)).decode()
        refused = WIRE["mustReject"]["smallOrderPublicKeys"] + WIRE["mustReject"]["nonCanonicalPublicKeys"]
        self.assertGreater(len(refused), 10)
        for weak in refused:
            for trial in range(32):
                self.assertFalse(is_signed(bytes([trial]), result, weak))

    def test_base64_has_one_text(self) -> None:
        public = KEY.public
        for text in ["", " ", "A", f"{public} ", public[:-1], f"{'A' * 42}B=", f"{public[:-1]}\n", None, 1]:
            self.assertIsNone(bytes_in(text, 32))


class Keys(unittest.TestCase):
    def test_printing_shows_no_secret(self) -> None:
        self.assertEqual(repr(KEY), f"Key(public='{KEY.public}')")
        self.assertEqual(Key.from_secret(f"{KEY.export_secret()}\n").public, WIRE["keys"]["A"]["public"])
        for text in ["", "secret", KEY.export_secret()[1:]]:
            with self.assertRaisesRegex(ValueError, "^A secret is the base64 of 32 bytes.$"):
                Key.from_secret(text)

    def test_a_file_is_of_its_owner_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "own.key")
            KEY.save(path)
            self.assertEqual(Key.from_file(path).public, KEY.public)
            with self.assertRaises(FileExistsError):
                KEY.save(path)
            if os.name == "posix":
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
                path.chmod(0o644)
                with self.assertRaisesRegex(PermissionError, "chmod 600"):
                    Key.from_file(path)
                path.chmod(0o600)
            path.write_text("no key")
            with self.assertRaisesRegex(ValueError, "contains no key"):
                Key.from_file(path)

    def test_a_token_lives_a_minute(self) -> None:
        head, claims, signature = token_for("https://ledger.example/v2", KEY, 1_780_000_000.9).split(".")
        read = [json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in (head, claims)]
        times = {"iat": 1_780_000_000, "exp": 1_780_000_060}
        self.assertEqual(read[0], {"alg": "EdDSA", "typ": "JWT", "kid": KEY.public})
        self.assertEqual(read[1], {"iss": KEY.public, "aud": "https://ledger.example/v2", **times})
        result = base64.b64encode(base64.urlsafe_b64decode(f"{signature}==")).decode()
        self.assertTrue(is_signed(f"{head}.{claims}".encode(), result, KEY.public))


class Amounts(unittest.TestCase):
    def test_are_exact(self) -> None:
        usd = money("usd", 100)
        for text, amount in {"25.50": 2550, "0.01": 1, "1.10": 110, "1.100": 110, 7: 700}.items():
            self.assertEqual(usd(text), {"symbol": "usd", "amount": amount})
        self.assertEqual(usd(Decimal("1E+2"))["amount"], 10_000)
        self.assertEqual(usd("90071992547409.91")["amount"], 2**53 - 1)
        for wrong in ["", "0", "-1", "+1", "1.", ".5", "1e3", "1,50", "1.005", " 1", "1\n", "\u0661", "NaN"]:
            with self.assertRaisesRegex(ValueError, f"^'{wrong}'".replace("+", r"\+")):
                usd(wrong)
        for wrong in ["90071992547409.92", Decimal("NaN"), Decimal("0.001"), -1]:
            with self.assertRaises(ValueError):
                usd(wrong)
        for inexact in [25.5, True]:
            with self.assertRaises(TypeError):
                usd(inexact)
        for factor in [0, -1, 0.5, True]:
            with self.assertRaises(ValueError):
                money("usd", factor)

    def test_make_the_claims_of_the_contract(self) -> None:
        paid = {"symbol": "usd", "amount": 100}
        usd = money("usd", 100)
        self.assertEqual(
            transfer("alice", "bob", usd("1")), {"action": "transfer", "source": "alice", "target": "bob", **paid}
        )
        self.assertEqual(issue("alice", usd("1")), {"action": "issue", "target": "alice", **paid})
        self.assertEqual(destroy("alice", usd("1")), {"action": "destroy", "source": "alice", **paid})


def sent(data: object, id: str = "evt_1", age: int = 0):
    """Headers and body of a webhook, as the ledger of KEY sends it."""
    hash = hash_of(data)
    body = canonical_of({"hash": hash, "data": data, "meta": {"proofs": [prove(hash, None, KEY)]}}).encode()
    seconds = str(int(time.time()) - age)
    signature = base64.b64encode(KEY.sign(f"{id}.{seconds}.".encode() + body)).decode()
    return {"webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": f"v1,x v1a,{signature}"}, body


class Webhooks(unittest.TestCase):
    def setUp(self) -> None:
        self.event = {"handle": "evt_1", "signal": "balance-received", "amount": 10**30}

    def test_of_the_ledger_is_its_event(self) -> None:
        headers, body = sent(self.event)
        for given in [headers, {name.title(): value for name, value in headers.items()}]:
            self.assertEqual(verify_webhook(given, body, key=KEY.public)["data"], self.event)
        self.assertEqual(verify_webhook(headers, body.decode(), key=KEY.public)["data"], self.event)

    def test_that_is_changed_old_or_of_another_is_refused(self) -> None:
        headers, body = sent(self.event)
        old, old_body = sent(self.event, age=301)
        for given, text, key in [
            ({}, body, KEY.public),
            (headers, body.replace(b"received", b"returned"), KEY.public),
            (headers, b"\xff", KEY.public),
            (headers, "\ud800", KEY.public),
            ({**headers, "webhook-id": "evt_2"}, body, KEY.public),
            ({**headers, "webhook-timestamp": "1e9"}, body, KEY.public),
            ({**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}, body, KEY.public),
            ({**headers, "webhook-signature": "v1a,"}, body, KEY.public),
            (headers, body, Key.new().public),
            (headers, body, ""),
            (old, old_body, KEY.public),
            (*sent({**self.event, "handle": "evt_2"}), KEY.public),
            (*sent([]), KEY.public),
        ]:
            with self.subTest(given), self.assertRaises(WebhookRefused):
                verify_webhook(given, text, key=key)
        self.assertEqual(verify_webhook(old, old_body, key=KEY.public, tolerance_seconds=400)["data"], self.event)


if __name__ == "__main__":
    unittest.main()
