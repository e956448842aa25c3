# One order, with its parcels. X-Poll-Interval tells after how many seconds to ask again.
api -i "$API/api/orders/WEB-3001/status"

# All orders with one call: keep the sync_token of the first page, then ask for changes.
SINCE=$(api "$API/api/orders?limit=1" | sed 's/.*"sync_token":"\([^"]*\)".*/\1/')
api "$API/api/orders?since=$SINCE"
