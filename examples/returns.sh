# One unit of the first line comes back. Your own id makes it safe to ask again: you get the same return.
api "$API/api/orders/WEB-3001/returns" -d '{
  "store_return_id": "RET-3001", "lines": [{ "line": 1, "quantity": 1 }], "reason": "Arrived damaged"
}'

# The status of an order lists its returns: state, and what was asked, received and refunded of each line.
api "$API/api/orders/WEB-3001/status"
