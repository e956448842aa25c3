import os
from wholesale import Wholesale, WholesaleError

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])

try:
    api.place({
        "store_order_id": "WEB-3002",
        "customer": {"name": "Ravi Kumar"},
        "shipping": {
            "address": "12, MG Road", "city": "Bengaluru",
            "state": "Karnataka", "pincode": "56",
        },
        "items": [{"sku": "NO-SUCH-SKU", "quantity": 1}],
    })
except WholesaleError as error:
    print(error)
    for fault in error.errors:
        print(fault["field"], fault["message"])
