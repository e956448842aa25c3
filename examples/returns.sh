# The status of an order lists its returns: state, lines, and what was refunded.
api "$API/api/orders/WEB-3001/status"
