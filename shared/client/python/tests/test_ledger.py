"""Goal: the client makes and reads what the reference promises on a ledger, and what got no answer is made once.

Skipped without COUNTERSIGN_SERVER, the base address of a runtime whose default ledger is open.
"""

import os
import threading
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Callable, List
from urllib.parse import quote

from countersign import (
    Key,
    Ledger,
    LedgerRefused,
    LedgerUnreachable,
    LedgerUntrusted,
    Request,
    Response,
    by_urllib,
    connect,
    issue,
    money,
    transfer,
    verify_record,
    verify_webhook,
)

SERVER = os.environ.get("COUNTERSIGN_SERVER", "")
SIGNER = Key.new()
usd = money("usd", 100)


def unique(name: str) -> str:
    return f"{name}-{uuid.uuid4().hex[:12]}"


def new_ledger() -> Ledger:
    """A client of a new ledger with two wallets, of which alice has a hundred dollars."""
    handle = unique("ledger")
    home = connect(SERVER, signer=SIGNER)
    home.create("/ledgers", {"handle": handle, "access": [{"action": "any", "record": "any"}]})
    ledger = connect(SERVER, signer=SIGNER, ledger=handle)
    ledger.create("/symbols", {"handle": "usd", "factor": 100})
    for name in ["alice", "bob"]:
        ledger.create("/wallets", {"handle": name})
    assert ledger.pay(issue("alice", usd("100")))["meta"]["status"] == "completed"
    return ledger


def amounts(ledger: Ledger, wallet: str) -> List[int]:
    return [row["data"]["amount"] for row in ledger.get("/wallets/{id}/balances", id=wallet)["data"]]


def shaky(ledger: Ledger, *manners: Callable[[Request], Response]) -> Ledger:
    """The same ledger over a way that treats the next requests in these manners, and all others well."""
    left = list(manners)
    return connect(
        SERVER,
        signer=SIGNER,
        ledger=ledger.get("/ledger")["data"]["handle"],
        trust=ledger.key,
        transport=lambda request: left.pop(0)(request) if left else by_urllib(request),
    )


def lost(request: Request) -> Response:
    by_urllib(request)
    raise ConnectionResetError


def busy(request: Request) -> Response:
    return Response(503, {"retry-after": "0"}, b"{}")


@unittest.skipUnless(SERVER, "COUNTERSIGN_SERVER names no ledger")
class Client(unittest.TestCase):
    def test_creates_pays_and_reads_what_came_of_it(self) -> None:
        ledger = new_ledger()
        intent = ledger.pay(transfer("alice", "bob", usd("25.50")), custom={"note": "rent", "share": 0.1, "tiny": 1e-7})
        self.assertEqual(intent["meta"]["status"], "completed")
        self.assertEqual(intent["data"]["custom"], {"note": "rent", "share": 0.1, "tiny": 1e-7})
        self.assertEqual(amounts(ledger, "bob"), [2550])
        self.assertEqual(ledger.pay(transfer("bob", "alice", usd("26")))["meta"]["status"], "rejected")
        stored = ledger.get("/intents/{id}", id=intent["luid"])
        self.assertEqual(verify_record(stored, trust=ledger.key)["hash"], intent["hash"])
        back = ledger.pay(transfer("bob", "alice", usd("5.50")), reverses=intent["data"]["handle"], handle="refund-1")
        self.assertEqual((back["meta"]["status"], back["data"]["handle"]), ("completed", "refund-1"))

    def test_updates_says_a_status_and_drops(self) -> None:
        ledger = new_ledger()
        wallet = ledger.create("/wallets", {"handle": "carol"})
        updated = ledger.update("/wallets/{id}", wallet, {"schema": "savings"})
        self.assertEqual(updated["data"]["schema"], "savings")
        frozen = ledger.prove("/wallets/{id}/proofs", updated, {"status": "inactive"})
        self.assertEqual(frozen["meta"]["status"], "inactive")
        ledger.drop("/wallets/{id}/drop", frozen)
        with self.assertRaises(LedgerRefused) as gone:
            ledger.get("/wallets/{id}", id="carol")
        self.assertEqual((gone.exception.status, gone.exception.reason), (404, "record.not-found"))
        self.assertTrue(gone.exception.request_id)

    def test_hands_over_what_a_key_owns(self) -> None:
        ledger, following = new_ledger(), Key.new()
        ann = ledger.create("/signers", {"handle": "ann", "format": "ed25519-raw", "public": SIGNER.public})
        ann = ledger.update("/signers/{id}", ann, {"public": following.public}, hands_over=True)
        self.assertEqual(ann["meta"]["predecessors"], [SIGNER.public])
        with self.assertRaises(TypeError):
            ledger.update("/signers/{id}", ann, {"custom": {"n": 1}}, hands_over=True)

    def test_previews_what_an_intent_would_do(self) -> None:
        ledger = new_ledger()
        data = {"handle": "later", "claims": [transfer("alice", "bob", usd("1"))]}
        preview = ledger.post("/intents/!preview", data)
        self.assertEqual(preview and preview["data"]["status"], "completed")
        self.assertEqual([*ledger.list("/intents", query={"data.handle": "later"})], [])

    def test_updates_below_a_record(self) -> None:
        ledger = new_ledger()
        ledger.create("/signers", {"handle": "carol", "format": "ed25519-raw", "public": Key.new().public})
        path = "/signers/{signer}/factors"
        data = {"handle": "phone", "signer": "carol", "format": "ed25519-raw", "public": Key.new().public}
        factor = ledger.create(path, data, signer="carol")
        updated = ledger.update(f"{path}/{{id}}", factor, {"custom": {"floor": 3}}, signer="carol")
        self.assertEqual(updated["data"]["custom"], {"floor": 3})

    def test_holds_captures_a_part_and_waits_for_the_end(self) -> None:
        ledger = new_ledger()
        held = ledger.pay(transfer("alice", "bob", usd("10")), config={"commit": "manual"})
        self.assertEqual(held["meta"]["status"], "prepared")
        self.assertEqual(ledger.settled(held, within=0)["meta"]["status"], "prepared")
        ledger.prove("/intents/{id}/proofs", held, {"status": "committed", "capture": [{"claim": 0, "amount": 400}]})
        self.assertEqual(ledger.settled(held)["meta"]["status"], "completed")
        self.assertEqual(amounts(ledger, "bob"), [400])

    def test_reads_a_list_to_its_end_with_filters(self) -> None:
        ledger = new_ledger()
        names = {f"w{index}" for index in range(25)}
        for name in names:
            ledger.create("/wallets", {"handle": name, "schema": "many"})
        query = {"data.schema": "many", "page.limit": 10}
        self.assertEqual({wallet["data"]["handle"] for wallet in ledger.list("/wallets", query=query)}, names)
        either = {"data.handle.$in": ["w1", "w2"], "data.schema": None}
        self.assertEqual(len([*ledger.list("/wallets", query=either)]), 2)

    def test_shows_balances_beyond_a_double_exactly(self) -> None:
        ledger = new_ledger()
        ledger.create("/symbols", {"handle": "wei", "factor": 1})
        ledger.pay([issue("alice", {"symbol": "wei", "amount": 2**53 - 1})] * 3)
        self.assertIn(3 * (2**53 - 1), amounts(ledger, "alice"))

    def test_says_what_it_lacks(self) -> None:
        reader = connect(SERVER)
        self.assertEqual(reader.get("/ledger")["data"]["handle"], "main")
        with self.assertRaisesRegex(TypeError, "needs a signer"):
            reader.create("/wallets", {"handle": "x"})
        with self.assertRaisesRegex(TypeError, "needs 'id'"):
            reader.get("/wallets/{id}")
        with self.assertRaisesRegex(TypeError, "has no 'wallet'"):
            reader.get("/wallets/{id}", id="x", wallet="y")
        for name in [".", ".."]:
            with self.assertRaisesRegex(TypeError, "No URL can carry"):
                reader.get("/wallets/{id}/balances", id=name)
        for server in ["127.0.0.1:3000/v2", "file:///etc"]:
            with self.assertRaisesRegex(ValueError, "no address"):
                connect(server)

    def test_takes_any_signer(self) -> None:
        class Kms:
            """Stands for a service that holds the key."""

            public = SIGNER.public

            def sign(self, data: bytes) -> bytes:
                return SIGNER.sign(data)

        handle = unique("wallet")
        made = connect(SERVER, signer=Kms()).create("/wallets", {"handle": handle})
        self.assertEqual(made["meta"]["proofs"][0]["public"], SIGNER.public)


@unittest.skipUnless(SERVER, "COUNTERSIGN_SERVER names no ledger")
class WithoutAnswer(unittest.TestCase):
    def test_a_change_is_made_once(self) -> None:
        for manners in [[lost], [lost, lost], [busy], [busy, lost]]:
            with self.subTest(manners):
                ledger = new_ledger()
                intent = shaky(ledger, *manners).pay(transfer("alice", "bob", usd("1")))
                self.assertEqual(intent["meta"]["status"], "completed")
                self.assertEqual(amounts(ledger, "bob"), [100])

    def test_an_update_a_proof_and_a_drop_are_made_once(self) -> None:
        ledger = new_ledger()
        wallet = ledger.create("/wallets", {"handle": "carol"})
        updated = shaky(ledger, lost).update("/wallets/{id}", wallet, {"schema": "savings"})
        self.assertEqual(updated["data"]["schema"], "savings")
        frozen = shaky(ledger, lost).prove("/wallets/{id}/proofs", updated, {"status": "inactive"})
        self.assertEqual(frozen["meta"]["status"], "inactive")
        shaky(ledger, lost).drop("/wallets/{id}/drop", frozen)
        with self.assertRaises(LedgerRefused):
            ledger.get("/wallets/{id}", id="carol")
        with self.assertRaisesRegex(LedgerRefused, "not-found"):
            ledger.drop("/wallets/{id}/drop", frozen)

    def test_an_update_of_what_another_has_changed_is_refused(self) -> None:
        ledger = new_ledger()
        wallet = ledger.create("/wallets", {"handle": "carol"})
        ledger.update("/wallets/{id}", wallet, {"schema": "savings"})
        with self.assertRaisesRegex(LedgerRefused, "parent-hash-invalid"):
            ledger.update("/wallets/{id}", wallet, {"schema": "current"})
        other = connect(SERVER, signer=Key.new(), ledger=ledger.get("/ledger")["data"]["handle"])
        with self.assertRaisesRegex(LedgerRefused, "parent-hash-invalid"):
            other.update("/wallets/{id}", wallet, {"schema": "savings"})

    def test_what_was_made_before_is_returned_to_its_author_alone(self) -> None:
        ledger = new_ledger()
        data = {"handle": "twice", "custom": {"city": "Bern"}}
        first = ledger.create("/wallets", data)
        self.assertEqual(ledger.create("/wallets", data)["luid"], first["luid"])
        other = connect(SERVER, signer=Key.new(), ledger=ledger.get("/ledger")["data"]["handle"])
        for author, given in [(ledger, {"handle": "twice"}), (other, data)]:
            with self.assertRaises(LedgerRefused) as refused:
                author.create("/wallets", given)
            self.assertEqual(refused.exception.reason, "record.duplicated")

    def test_is_an_error_in_the_end(self) -> None:
        trust = connect(SERVER).key
        nobody = connect("http://127.0.0.1:9/v2", trust=trust, attempts=1)
        with self.assertRaisesRegex(LedgerUnreachable, "No ledger answers"):
            nobody.get("/ledger")
        for answer in [
            Response(200, {}, b"<html>"),
            Response(302, {"location": SERVER}, b""),
            Response(502, {}, b"[]"),
            Response(200, {}, b"\xff"),
        ]:
            with self.subTest(answer), self.assertRaisesRegex(LedgerUnreachable, "is no ledger"):
                connect(SERVER, trust=trust, attempts=1, transport=lambda _, said=answer: said).get("/ledger")


@unittest.skipUnless(SERVER, "COUNTERSIGN_SERVER names no ledger")
class Answers(unittest.TestCase):
    def test_that_were_changed_are_not_believed(self) -> None:
        trust = connect(SERVER).key
        for change, why in {
            (b'"handle":"main"', b'"handle":"evil"'): "hash",
            (b'"result":"', b'"result":"zz'): "does not verify",
            (b'"proofs":', b'"other":'): "not signed",
        }.items():

            def forged(request: Request, change: tuple = change) -> Response:
                answer = by_urllib(request)
                return answer._replace(body=answer.body.replace(*change))

            with self.subTest(why), self.assertRaisesRegex(LedgerUntrusted, why):
                connect(SERVER, trust=trust, transport=forged).get("/ledger")

    def test_whose_status_or_luid_was_changed_are_not_believed(self) -> None:
        ledger = new_ledger()
        intent = ledger.pay(transfer("alice", "bob", usd("101")))
        self.assertEqual(intent["meta"]["status"], "rejected")
        good = {**intent, "meta": {**intent["meta"], "status": "completed"}}
        with self.assertRaisesRegex(LedgerUntrusted, "which is rejected"):
            verify_record(good, trust=ledger.key)
        with self.assertRaisesRegex(LedgerUntrusted, "luid"):
            verify_record({**intent, "luid": "$int.-other"}, trust=ledger.key)
        for change in ledger.list("/intents/{id}/changes", id=intent["luid"]):
            ledger.get("/intents/{id}/changes/{change}", id=intent["luid"], change=change["meta"]["change"])

    def test_of_another_ledger_are_not_believed(self) -> None:
        with self.assertRaises(LedgerUntrusted):
            connect(SERVER, trust=Key.new().public).get("/ledger")
        for body in [b"", b"[]", b"{}", b'{"data":{"public":1}}']:
            with self.assertRaises(LedgerUntrusted):
                connect(SERVER, transport=lambda _, said=body: Response(200, {}, said))


def instead(source: str, target: str) -> Callable[[Request], Response]:
    """What is asked at one path is answered with what is at another one; a payment with an old one."""

    def swap(request: Request) -> Response:
        if request.url.endswith(source) and not (request.method == "GET" and source == "/intents"):
            asked = request._replace(method="GET", url=request.url[: -len(source)] + target, body=None)
            return by_urllib(asked)
        return by_urllib(request)

    return swap


@unittest.skipUnless(SERVER, "COUNTERSIGN_SERVER names no ledger")
class Exchanged(unittest.TestCase):
    """Somebody between changes no byte, and answers with other answers of the same ledger."""

    def over(self, ledger: Ledger, transport: Callable[[Request], Response]) -> Ledger:
        handle = ledger.get("/ledger")["data"]["handle"]
        return connect(SERVER, signer=SIGNER, ledger=handle, trust=ledger.key, transport=transport)

    def test_reads_are_of_what_was_asked(self) -> None:
        ledger = new_ledger()
        for name in ["rent", "theft"]:
            ledger.pay(transfer("alice", "bob", usd("1")), handle=name)
        for asked, came, why in [
            ("/intents/rent", "/intents/theft", "theft"),
            ("/intents/rent", "/wallets/bob", "bob"),
            ("/intents/rent", "/intents", "a list of"),
            ("/intents/rent/changes", "/intents/theft/changes", "theft"),
            ("/intents/rent/changes/1", "/intents/theft/changes/1", "theft"),
            ("/wallets/bob/changes/1", "/wallets/alice/changes/1", "alice"),
            ("/wallets/bob/balances", "/wallets/alice/balances", "of wallet alice"),
            ("/wallets/bob/entries?symbol=usd", "/wallets/alice/entries?symbol=usd", "of wallet alice"),
            ("/wallets", "/intents", "a list of"),
            ("/", "/wallets/bob", "bob"),
        ]:
            with self.subTest(asked), self.assertRaisesRegex(LedgerUntrusted, f"was asked, .*: .*{why}"):
                self.over(ledger, instead(asked, came)).get(asked)
            self.assertIn("data", ledger.get(asked))
        luid = ledger.get("/wallets/bob")["luid"]
        path = f"/wallets/{quote(luid)}/balances"
        self.assertEqual(len(ledger.get(path)["data"]), 1)
        with self.assertRaises(LedgerUntrusted):
            self.over(ledger, instead(path, "/wallets/alice/balances")).get(path)

    def test_changes_are_those_that_were_sent(self) -> None:
        ledger = new_ledger()
        ledger.pay(transfer("alice", "bob", usd("1")), handle="order-1")
        with self.assertRaisesRegex(LedgerUntrusted, "order-1"):
            over = self.over(ledger, instead("/intents", "/intents/order-1"))
            over.pay(transfer("alice", "bob", usd("2")), handle="order-99")
        wallet = ledger.create("/wallets", {"handle": "carol"})
        over = self.over(ledger, instead("/wallets/carol", "/wallets/carol"))
        with self.assertRaises(LedgerUntrusted):
            over.update("/wallets/{id}", wallet, {"schema": "savings"})
        with self.assertRaises(LedgerUntrusted):
            over = self.over(ledger, instead("/carol/proofs", "/carol"))
            over.prove("/wallets/{id}/proofs", wallet, {"status": "inactive"})

    def test_an_end_is_read(self) -> None:
        ledger = new_ledger()
        wallet = ledger.create("/wallets", {"handle": "carol"})

        def nothing(request: Request) -> Response:
            return Response(204, {}, b"") if request.url.endswith("/drop") else by_urllib(request)

        with self.assertRaisesRegex(LedgerUntrusted, "says otherwise"):
            self.over(ledger, nothing).drop("/wallets/{id}/drop", wallet)
        ledger.drop("/wallets/{id}/drop", wallet)

    def test_a_refusal_is_signed(self) -> None:
        ledger = new_ledger()
        with self.assertRaises(LedgerRefused) as refused:
            ledger.get("/wallets/nobody")
        self.assertTrue(refused.exception.is_signed)

        def said(status: int, reason: str) -> Ledger:
            body = f'{{"data":{{"reason":"{reason}","detail":""}},"meta":{{"proofs":[]}}}}'.encode()
            return self.over(ledger, lambda request: Response(status, {"retry-after": "0"}, body))

        with self.assertRaisesRegex(LedgerUntrusted, "refusal record.not-found of GET /wallets/bob"):
            said(404, "record.not-found").get("/wallets/bob")
        with self.assertRaises(LedgerRefused) as busy_one:
            said(429, "api.rate-limit-exceeded").get("/wallets/bob")
        self.assertFalse(busy_one.exception.is_signed)


class _Receiver(BaseHTTPRequestHandler):
    arrived: "Queue[tuple]" = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.arrived.put((self.headers, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@unittest.skipUnless(SERVER, "COUNTERSIGN_SERVER names no ledger")
class Webhook(unittest.TestCase):
    def test_of_the_ledger_is_its_event(self) -> None:
        server = HTTPServer(("127.0.0.1", 0), _Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ledger = new_ledger()
        action = {"schema": "webhook", "endpoint": f"http://127.0.0.1:{server.server_port}/hook"}
        # The issue before may be published after the effect was made.
        effect = {"handle": "hook", "signal": "balance-received", "filter": {"amount": 100}, "action": action}
        ledger.create("/effects", effect)
        ledger.pay(transfer("alice", "bob", usd("1")))
        headers, body = _Receiver.arrived.get(timeout=300)
        event = verify_webhook(headers, body, key=ledger.key)
        self.assertEqual((event["data"]["signal"], event["data"]["amount"]), ("balance-received", 100))
        self.assertEqual(verify_record(body, trust=ledger.key)["hash"], event["hash"])


if __name__ == "__main__":
    unittest.main()
