# One answer tells all faults: the missing phone, the short PIN code and the unknown SKU.
api "$API/api/orders" -d '{
  "store_order_id": "WEB-3002",
  "customer": { "name": "Ravi Kumar" },
  "shipping": {
    "address": "12, MG Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "56"
  },
  "items": [ { "sku": "NO-SUCH-SKU", "quantity": 1 } ]
}'
