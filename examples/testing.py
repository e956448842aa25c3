import os
import time
from wholesale import Wholesale, WholesaleError

# TOKEN is a test token: nothing is held, owed or sent.
api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])
number = f"TRY-{time.time_ns()}"
order = {
    "store_order_id": number,
    "customer": {"name": "Ravi Kumar", "phone": "+91 98765 43210"},
    "shipping": {
        "address": "12, MG Road", "city": "Bengaluru",
        "state": "Karnataka", "pincode": "560038",
    },
    "items": [{"sku": "MUG-350", "quantity": 2}],
}
api.place(order)

# You are the wholesaler and the courier now. Let your store follow the order meanwhile.
for step in ["paid", "shipped", "delivered"]:
    api.send("POST", f"/api/test/orders/{number}/advance", {"step": step})
    state = api.status(number)
    print("Test order is", state["status"], (state["tracking"] or {}).get("tracking_number", ""))

# A failure as a real one: what does your store do?
headers = {"X-Test-Failure": "sold_out"}
failing = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"], headers=headers)
try:
    failing.place({**order, "store_order_id": f"{number}-2"})
except WholesaleError as error:
    print(error)
