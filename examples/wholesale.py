"""A client of the Wholesale Order API in one file, for Python 3.8 or newer. It needs no packages.
A request has 10 seconds. Without a final answer (no connection, 408, 429, 5xx) it is sent again: after the
seconds of Retry-After, else after 1, 2, 4, 8 and 16 seconds. All other errors raise at once."""
import json
import random
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from urllib.parse import quote, urlencode, urlsplit


class WholesaleError(Exception):
    # `status` is 0 without an answer. `errors` lists the faults: field, code and message.
    def __init__(self, status, body):
        super().__init__(f"{status} {body['code']}: {body['message']}")
        self.status, self.code, self.errors, self.body = status, body["code"], body.get("errors", []), body


class Wholesale:
    # `headers` go with every request, such as X-Test-Failure.
    def __init__(self, base_url, token, domain, timeout=10, attempts=6, sleep=time.sleep, headers={}):
        self.headers = {**headers, "Authorization": f"Bearer {token.strip()}", "X-Client-Domain": domain}
        self.headers["Content-Type"] = "application/json"
        self.base, self.timeout, self.attempts, self.sleep = urlsplit(base_url.rstrip("/")), timeout, attempts, sleep

    def catalog(self, since=None):
        """The products that changed since the last call: products, removed, complete, since. Keep `since` for
        the next call. If `complete`, these are all products: delete all others."""
        return self._changed("/api/products?expand=variations,delivery_charge,details&", since)

    def stock(self, since=None):
        """The same with stock alone: a smaller answer."""
        return self._changed("/api/stock?", since)

    def quote(self, order):
        """What an order would cost, and whether there is stock. Nothing is created."""
        return self.send("POST", "/api/orders/quote", order)

    def place(self, order):
        """Places an order once: a repeat with the same store_order_id returns the order that exists. If that was
        cancelled, it raises: to order again takes a new id."""
        if not order.get("store_order_id"):
            raise ValueError("The store_order_id is missing.")
        try:
            return self.send("POST", "/api/orders", order)
        except WholesaleError as error:
            body = error.body
            if error.code == "duplicate_order" and body["same_content"] and body["status"] != "cancelled":
                return body
            raise

    def status(self, number):
        """One order with parcels, returns and timeline, by our number or yours."""
        return self.send("GET", f"/api/orders/{quote(number, safe='')}/status")

    def order(self, number):
        """The same with recipient, address, notes, refunds and documents. A read-only token may not read it."""
        return self.send("GET", f"/api/orders/{quote(number, safe='')}")

    def changes(self, since=None, open=()):
        """The orders that changed since the last call: orders, unknown, since. `tracking` is None until a parcel
        leaves. At the first call, and if `since` has expired, you get the `open` orders as they are now."""
        found, open, more = {"orders": [], "unknown": [], "since": since}, list(open), bool(since)
        try:
            while more:
                page = self.send("GET", "/api/orders?" + urlencode({"since": found["since"]}))
                found["orders"] += page["data"]
                found["since"], more = page["sync_token"], page["has_more"]
            if since:
                return found
        except WholesaleError as error:
            if error.status != 410:
                raise
        found["since"] = self.send("GET", "/api/orders?limit=1")["sync_token"]  # first, to miss no change
        for at in range(0, len(open), 100):
            numbers = urlencode([("orders", number) for number in open[at : at + 100]])
            page = self.send("GET", "/api/orders/status?" + numbers)
            found["orders"] += page["data"]
            found["unknown"] += page["unknown"]
        return found

    def documents(self, number):
        """The invoices and notes of an order: number, kind, date, amount, lines and url."""
        return self.send("GET", f"/api/orders/{quote(number, safe='')}/documents")["documents"]

    def documents_by_day(self, first, last=None):
        """The same of all orders from this day to that day, such as 2026-11-30. Both days are included."""
        query, documents, more = {"issued_from": first, "issued_to": last or first, "limit": 100}, [], True
        while more:
            page = self.send("GET", "/api/documents?" + urlencode(query))
            documents += page["data"]
            query["cursor"], more = page.get("next_cursor"), page["has_more"]
        return documents

    def send(self, method, path, content=None):
        """Sends any request that is safe to repeat. A PDF, such as the `url` of a document, comes as bytes."""
        for attempt in range(1, self.attempts + 1):
            try:
                status, body, retry_after = self._try(method, path, content)
            except (OSError, ValueError, HTTPException) as error:
                status, body, retry_after = 0, {"code": "no_answer", "message": repr(error)}, 0
            if 200 <= status < 300:
                return body
            if 300 <= status < 500 and status not in (408, 429) or attempt == self.attempts:
                raise WholesaleError(status, body)
            seconds = min(retry_after or 2 ** (attempt - 1), 60)
            self.sleep(seconds * (1 + random.random() / 4))  # not all stores at the same moment

    def _try(self, method, path, content):
        connect = HTTPSConnection if self.base.scheme == "https" else HTTPConnection
        ends, received = time.monotonic() + self.timeout, b""
        with closing(connect(self.base.netloc, timeout=self.timeout)) as connection:
            connection.request(method, self.base.path + path, content and json.dumps(content), self.headers)
            answer = connection.getresponse()
            while piece := answer.read1():
                received += piece
                if time.monotonic() > ends:
                    raise TimeoutError("The answer took too long.")
            if answer.length:
                raise IncompleteRead(received)
        kind, after = answer.headers.get_content_type(), answer.headers.get("Retry-After", "")
        retry_after = int(after) if after.isdigit() else 0
        if kind in ("application/json", "application/pdf"):
            return answer.status, json.loads(received) if "json" in kind else received, retry_after
        body = {"code": "not_json", "message": "Not an answer of the service. Check the base address."}
        return answer.status if answer.status >= 300 else 0, body, retry_after

    def _changed(self, path, since):
        try:
            page = self.send("GET", path + urlencode({"since": since} if since else {}))
            removed, since_now = page.get("removed", []), page["sync_token"]
            return {"products": page["data"], "removed": removed, "complete": not since, "since": since_now}
        except WholesaleError as error:
            if error.status != 410:
                raise
            return self._changed(path, None)  # the service was restored: read all again
