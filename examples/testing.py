import os
import time
from wholesale import Wholesale

# TOKEN is a test token: nothing is held, owed or sent.
api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])
number = f"TRY-{time.time_ns()}"
api.place({
    "store_order_id": number,
    "customer": {"name": "Ravi Kumar", "phone": "+91 98765 43210"},
    "shipping": {
        "address": "12, MG Road", "city": "Bengaluru",
        "state": "Karnataka", "pincode": "560038",
    },
    "items": [{"sku": "MUG-350", "quantity": 2}],
})

# You are the wholesaler and the courier now. Let your store follow the order meanwhile.
for step in ["paid", "shipped", "delivered"]:
    api.send("POST", f"/api/test/orders/{number}/advance", {"step": step})
    order = api.status(number)
    print("Test order is", order["status"], (order["tracking"] or {}).get("tracking_number", ""))
