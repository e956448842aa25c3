import json
import os
from pathlib import Path
from wholesale import Wholesale

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])
file = Path("stock.json")  # in your shop: a table of its database
kept = json.loads(file.read_text()) if file.exists() else {"since": None, "stock": {}}

changes = api.stock(kept["since"])
if changes["complete"]:
    kept["stock"] = {}
for product in changes["products"]:
    kept["stock"][product["sku"]] = product["stock_qty"]
for sku in changes["removed"]:
    kept["stock"].pop(sku, None)

kept["since"] = changes["since"]
file.write_text(json.dumps(kept))
print(len(changes["products"]), "products changed,", len(kept["stock"]), "are for sale")
