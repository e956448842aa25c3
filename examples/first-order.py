import os
from wholesale import Wholesale

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])

# Three products, at your prices.
for product in api.catalog()["products"][:3]:
    print(product["sku"], product["name"], product["pricing"]["wholesale_price"])

# What does an order cost? A quote creates nothing.
items = [{"sku": "MUG-350", "quantity": 2}]
quote = api.quote({"items": items})
print("The order costs", quote["total"], quote["currency"])

# The order. Your own id makes it safe to place again: you get the same order. If that was cancelled, place()
# raises: order again with a new store_order_id.
order = api.place({
    "store_order_id": "WEB-3001",
    "customer": {"name": "Ravi Kumar", "phone": "+91 98765 43210"},
    "shipping": {
        "address": "12, MG Road", "city": "Bengaluru",
        "state": "Karnataka", "pincode": "560038",
    },
    "items": items,
})
print("Order", order["order_number"], "is", order["status"])
