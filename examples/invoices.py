import os
from pathlib import Path
from wholesale import Wholesale

# More time than usual: a PDF is drawn when you ask for it.
api = Wholesale(os.environ["API"], os.environ["TOKEN"], os.environ["DOMAIN"], timeout=60)

for document in api.documents("WEB-3001"):
    file = Path(f"{document['number']}.pdf")
    if not file.exists():  # only an e-invoice changes: it gets its QR code later
        file.write_bytes(api.send("GET", document["url"]))
    print(document["kind"], document["number"], document["amount"])
