# The documents of an order. Each has the path of its PDF. An order that has not left has none.
api "$API/api/orders/WEB-3001/documents" | tee documents.json

# Save the first one. A PDF is drawn when you ask for it, so it gets more time.
PDF=$(sed -n 's/.*"documents":\[{[^}]*"url":"\([^"]*\)".*/\1/p' documents.json)
[ -z "$PDF" ] || api "$API$PDF" -o invoice.pdf --max-time 60
