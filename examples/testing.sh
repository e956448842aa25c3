# TOKEN is a test token: nothing is held, owed or sent.
NUMBER=TRY-$(date +%s)
api "$API/api/orders" -d '{
  "store_order_id": "'$NUMBER'",
  "customer": { "name": "Ravi Kumar", "phone": "+91 98765 43210" },
  "shipping": {
    "address": "12, MG Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "560038"
  },
  "items": [ { "sku": "MUG-350", "quantity": 2 } ]
}'

# You are the wholesaler and the courier now. Let your store follow the order meanwhile.
api "$API/api/test/orders/$NUMBER/advance" -d '{ "step": "paid" }'
api "$API/api/test/orders/$NUMBER/advance" -d '{ "step": "shipped" }'
api "$API/api/test/orders/$NUMBER/advance" -d '{ "step": "delivered" }'

# A failure as a real one: what does your store do?
api "$API/api/orders/quote" -H 'X-Test-Failure: unavailable' \
  -d '{ "items": [ { "sku": "MUG-350", "quantity": 2 } ] }'
