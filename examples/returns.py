import os
from wholesale import Wholesale

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])

# One unit of the first line comes back. Your own id makes it safe to ask again: you get the same return.
back = {"store_return_id": "RET-3001", "lines": [{"line": 1, "quantity": 1}], "reason": "Arrived damaged"}
api.send("POST", "/api/orders/WEB-3001/returns", back)

order = api.status("WEB-3001")
for back in order["returns"]:
    print("Return", back["number"], "is", back["state"], "and refunded", back["refunded"])
    for line in back["lines"]:
        name = order["items"][line["line"] - 1]["name"]
        print(name, "asked:", line["quantity"], "received:", line["received"] or 0)
