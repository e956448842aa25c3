import json
import os
from pathlib import Path
from wholesale import Wholesale

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])
file = Path("orders.json")  # in your shop: a table of its database
kept = json.loads(file.read_text()) if file.exists() else {"since": None, "open": ["WEB-3001"]}

changes = api.changes(kept["since"], kept["open"])
for order in changes["orders"]:
    number, parcel = order["store_order_id"], order["tracking"]
    print("Order", number, "is", order["status"])
    if parcel:
        print("Tracking:", parcel["courier"], parcel["tracking_number"], parcel["tracking_url"])
    if order["status"] in ("delivered", "cancelled") and number in kept["open"]:
        kept["open"].remove(number)

kept["since"] = changes["since"]
file.write_text(json.dumps(kept))
