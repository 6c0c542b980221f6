"""A payment on the hosted checkout from Python, without any package: create it, receive its callback, show the result."""

import base64
import hashlib
import hmac
import html
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

try:
    COMPORTA_URL, COMPORTA_API_KEY, COMPORTA_SIGNING_SECRET = (
        os.environ[name] for name in ("COMPORTA_URL", "COMPORTA_API_KEY", "COMPORTA_SIGNING_SECRET")
    )
except KeyError as missing:
    sys.exit(f"Set {missing}: see README.md")
PORT = int(os.environ.get("PORT", "3003"))
SHOP_URL = f"http://localhost:{PORT}"
PRICE = "12.50"
BODY_BYTES_MAX = 100_000
SIGNATURE_AGE_MAX_SECONDS = 300

# Checkout id: what callbacks said of its payment. Yours is a table of a database.
told: dict[str, str] = {}
# Statuses that no later callback changes.
ENDED = {"COMPLETED", "FAIL", "VOIDED"}


class Shop(BaseHTTPRequestHandler):
    # Seconds that a silent connection may keep its thread.
    timeout = 15

    def do_GET(self):
        path, _, query = self.path.partition("?")
        pages = {
            "GET /": self.show_goods,
            "POST /pay": self.pay,
            "GET /return": lambda: self.show_result(dict(urllib.parse.parse_qsl(query))),
            "POST /callbacks": self.receive_callback,
        }
        page = pages.get(f"{self.command} {path}", lambda: self.send(404, "There is no such page."))
        try:
            page()
        except Exception as error:
            self.log_error("%s", error)
            self.send(500, "Something went wrong. Try again.")

    do_POST = do_GET

    def show_goods(self):
        self.send(200, f'<form method="post" action="/pay"><button>Pay {PRICE} EUR</button></form>')

    def pay(self):
        """Creates a checkout and sends the customer to it."""
        checkout = ask(
            "POST",
            "/api/v2/checkout",
            {
                "payment": {"amount": PRICE, "currency": "EUR", "ext_invoiceid": f"ORDER-{uuid.uuid4().hex[:8]}"},
                "url_confirm": f"{SHOP_URL}/return",
                "url_cancel": f"{SHOP_URL}/return",
                # Repeated with the same id, the request makes nothing twice.
                "request_id": str(uuid.uuid4()),
            },
        )
        self.send_response(303)
        self.send_header("Location", checkout["url_redirect"])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def show_result(self, query):
        """That the browser comes back proves nothing: the gateway is asked."""
        checkout_id = query.get("checkoutid", "")
        status = ask("GET", f"/api/v2/checkout/{urllib.parse.quote(checkout_id, safe='')}")["payment"]["status"]
        paid = "Paid, thank you." if status == "COMPLETED" else f"Not paid: {html.escape(status)}."
        self.send(200, f"<p>{paid}</p><p>Callback: {html.escape(told.get(checkout_id, 'none yet'))}</p>")

    def receive_callback(self):
        """Callbacks can come twice and in any order: what has ended stays as it ended."""
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
            return self.send(400, f"Content-Length must be a number up to {BODY_BYTES_MAX}.")
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.send(400, "The signature is wrong.")
        callback = json.loads(body) or {}
        checkout_id, status = callback.get("checkout_id"), callback.get("operation_status")
        if checkout_id and status and told.get(checkout_id) not in ENDED:
            told[checkout_id] = status
        self.send(200, "Received.")

    def send(self, status, text):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def is_genuine(headers, body):
    """Whether the gateway signed it, as Standard Webhooks says. While a secret is changed there are two signatures."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > SIGNATURE_AGE_MAX_SECONDS:
        return False
    key = base64.b64decode(COMPORTA_SIGNING_SECRET.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256)
    wanted = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(wanted.encode(), signature.encode()) for signature in given)


def ask(method, path, body=None):
    request = urllib.request.Request(
        COMPORTA_URL + path,
        method=method,
        headers={"Authorization": f"Comporta {COMPORTA_API_KEY}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=35) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        raise RuntimeError(f"{answer['code']} {answer['reason']} ({answer['tid']})") from None


if __name__ == "__main__":
    print(f"Open {SHOP_URL}", flush=True)
    ThreadingHTTPServer(("localhost", PORT), Shop).serve_forever()
