-- The rights of the role under which the service and the wholesaler's commands run: they work with all of the data, but can
-- neither change the schema nor rewrite what has happened. Run it as the owner of the tables (the role of the migrations),
-- after every migration; running it again changes nothing.
--
-- Once, as an administrator, before the first migration:
--   CREATE ROLE wholesale_owner LOGIN PASSWORD '…';
--   CREATE ROLE wholesale_service LOGIN PASSWORD '…';
--   CREATE DATABASE wholesale OWNER wholesale_owner;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO wholesale_service;

-- Look, add and change.
GRANT SELECT, INSERT, UPDATE ON
  plans, clients, tokens, token_uses, subscriptions, products, stock_items, plan_prices, orders
  TO wholesale_service;

-- Imports number products before they insert them.
GRANT USAGE ON SEQUENCE products_id_seq TO wholesale_service;

-- What may be taken away again: prices, products, a subscription that was entered by mistake.
GRANT DELETE ON subscriptions, products, stock_items, plan_prices TO wholesale_service;

-- What has happened is added to and never changed.
GRANT SELECT, INSERT ON store_order_ids, order_items, order_timeline, order_changes, changes, stock_movements TO wholesale_service;

-- Wallets move with their entries, which are written once.
GRANT SELECT, INSERT, UPDATE ON wallets TO wholesale_service;
GRANT SELECT, INSERT ON wallet_entries TO wholesale_service;
GRANT SELECT, INSERT, UPDATE ON auto_pay TO wholesale_service;

-- Refusals are kept for 30 days.
GRANT SELECT, INSERT, DELETE ON refused_orders TO wholesale_service;

-- How the nodes follow the data: written by triggers, and by the first node that finds a restored database.
GRANT SELECT, INSERT, DELETE ON tombstones TO wholesale_service;
GRANT SELECT, UPDATE ON history TO wholesale_service;

-- To see that the schema is up to date.
GRANT SELECT ON migrations TO wholesale_service;
