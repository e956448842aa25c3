# The first call returns all stock. Keep the sync_token at its end.
api "$API/api/stock" > stock.json
SINCE=$(sed 's/.*"sync_token":"\([^"]*\)".*/\1/' stock.json)

# Every later call returns only what changed, and a new sync_token.
api "$API/api/stock?since=$SINCE"
