"""Goal: the transport of the standard library gives whole answers, or none: it follows no redirect, and waits no longer
than it may."""

import threading
import unittest
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from countersign import Request, by_urllib


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        getattr(self, f"_{self.path[1:]}")()

    def _whole(self) -> None:
        self._answer(404, {"Retry-After": "7", "Content-Length": "2"})
        self.wfile.write(b"{}")

    def _moved(self) -> None:
        self._answer(302, {"Location": "/whole", "Content-Length": "0"})

    def _cut(self) -> None:
        self._answer(200, {"Content-Length": "100"})
        self.wfile.write(b"{")

    def _endless(self) -> None:
        self._answer(200, {})
        while not self.server.is_over.wait(0.02):
            self.wfile.write(b" ")

    def _answer(self, status: int, headers: dict) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class Transport(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
        self.server.daemon_threads = True
        self.server.is_over = threading.Event()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self) -> None:
        self.server.is_over.set()
        self.server.shutdown()
        self.server.server_close()

    def _get(self, path: str, timeout: float = 60):
        return by_urllib(Request("GET", f"http://127.0.0.1:{self.server.server_port}{path}", {}, None, timeout))

    def test_gives_answers_of_any_status(self) -> None:
        answer = self._get("/whole")
        self.assertEqual((answer.status, answer.body, answer.headers["retry-after"]), (404, b"{}", "7"))

    def test_follows_no_redirect(self) -> None:
        self.assertEqual(self._get("/moved").status, 302)

    def test_gives_no_part_of_an_answer(self) -> None:
        with self.assertRaises(HTTPException):
            self._get("/cut")
        with self.assertRaises(OSError):
            self._get("/endless", timeout=0.3)
        with self.assertRaises(OSError):
            by_urllib(Request("GET", "http://127.0.0.1:9/", {}, None, 1))


if __name__ == "__main__":
    unittest.main()
