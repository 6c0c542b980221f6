"""A payment on the hosted checkout from Python, without any package: create it, receive its callback, show the result."""

import base64
import hashlib
import hmac
import html
import json
import os
import sys
import threading
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

# Payments from callbacks, by operation id. Use a table of your database.
payments: dict[str, dict] = {}
# Two callbacks can come at the same moment, each in its own thread.
lock = threading.Lock()
# The last event that was read.
cursor = ""
# Final statuses.
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
            # For comporta exam. Keep these two away from strangers.
            "GET /state": self.show_state,
            "POST /resync": self.resync,
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
        payment = ask("GET", f"/api/v2/checkout/{urllib.parse.quote(checkout_id, safe='')}")["payment"]
        status = payment["status"]
        paid = "Paid, thank you." if status == "COMPLETED" else f"Not paid: {html.escape(status)}."
        told = payments.get(payment["id"], {}).get("status", "none yet")
        self.send(200, f"<p>{paid}</p><p>Callback: {html.escape(told)}</p>")

    def receive_callback(self):
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
            return self.send(400, f"Content-Length must be a number up to {BODY_BYTES_MAX}.")
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.send(400, "The signature is wrong.")
        note(json.loads(body) or {})
        self.send(200, "Received.")

    def show_state(self):
        with lock:
            known = {operation: payment for operation, payment in payments.items() if "status" in payment}
            state = {
                operation: {
                    "status": payment["status"],
                    "amount": payment["cents"] / 100,
                    "refunded": sum(payment["refunds"].values()) / 100,
                }
                for operation, payment in known.items()
            }
        self.send(200, json.dumps({"operations": state}), "application/json")

    def resync(self):
        read_events()
        self.send(200, "Read.")

    def send(self, status, text, content_type="text/html; charset=utf-8"):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def note(callback):
    """Stores what a callback says. Callbacks can come twice and in any order: a refund even before its payment."""
    kind, status = callback.get("type"), callback.get("operation_status")
    is_refund = kind == "REFUND" and status == "COMPLETED"
    if kind != "PAYMENT" and not is_refund:
        return
    with lock:
        payment = payments.setdefault(callback["parent_operation_id" if is_refund else "operation_id"], {"refunds": {}})
        cents = round(callback["amount"] * 100)
        if is_refund:
            # The same refund counts once. Its amount is negative.
            payment["refunds"][callback["operation_id"]] = -cents
        elif payment.get("status") not in ENDED:
            # A final status never changes.
            payment.update(status=status, cents=cents)


def read_events():
    """Reads the events after the last one: callbacks can be lost while the program is down."""
    global cursor
    more = True
    while more:
        page = ask("GET", f"/api/v2/events?after={cursor}")
        for event in page["events"]:
            note(event["body"])
        cursor, more = page["next"], page["more"]


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
    try:
        read_events()
    except (OSError, RuntimeError) as error:
        print(f"The events could not be read: {error}", file=sys.stderr)
    print(f"Open {SHOP_URL}", flush=True)
    ThreadingHTTPServer(("localhost", PORT), Shop).serve_forever()
