# Do the credentials work? The answer has your domain and your wallet.
api "$API/api/account"

# Three products, at your prices.
api "$API/api/products?limit=3"

# What does an order cost? A quote creates nothing.
api "$API/api/orders/quote" -d '{ "items": [ { "sku": "MUG-350", "quantity": 2 } ] }'

# The order. Your own id makes it safe to send again: then the answer is 409 with the same order.
# If its status is "cancelled", it will not ship: order again with a new store_order_id.
api "$API/api/orders" -d '{
  "store_order_id": "WEB-3001",
  "customer": { "name": "Ravi Kumar", "phone": "+91 98765 43210" },
  "shipping": {
    "address": "12, MG Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "560038"
  },
  "items": [ { "sku": "MUG-350", "quantity": 2 } ]
}'
