import os
from wholesale import Wholesale

api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"])

order = api.status("WEB-3001")
for back in order["returns"]:
    print("Return", back["number"], "is", back["state"], "and refunded", back["refunded"])
    for line in back["lines"]:
        print(line["quantity"], "x", order["items"][line["line"] - 1]["name"])
