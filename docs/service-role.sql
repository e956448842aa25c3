-- The rights of the role under which the service and the wholesaler's commands run: they can neither change the schema nor rewrite
-- what was agreed or has happened, and of everything else they may change what they do change. Run it as the owner of the tables (the
-- role of the migrations), after every migration; running it again changes nothing.
--
-- Once, as an administrator, before the first migration:
--   CREATE ROLE wholesale_owner LOGIN;
--   CREATE ROLE wholesale_service LOGIN;
--   CREATE DATABASE wholesale OWNER wholesale_owner;
--   \password wholesale_owner
--   \password wholesale_service

-- Running nodes never find themselves without their rights.
BEGIN;

-- What an earlier version granted and this one does not.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM wholesale_service;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM wholesale_service;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO wholesale_service;

-- Everything is looked at.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO wholesale_service;

-- Clients and what they are given.
GRANT INSERT, UPDATE (name, discount) ON plans TO wholesale_service;
GRANT INSERT, UPDATE (name, email, suspended_at) ON clients TO wholesale_service;
GRANT INSERT, UPDATE (revoked_at) ON tokens TO wholesale_service;
GRANT INSERT, UPDATE (last_used_at) ON token_uses TO wholesale_service;
-- What was to come is dropped when another subscription takes its place.
GRANT INSERT, UPDATE (ends_at), DELETE ON subscriptions TO wholesale_service;

-- The catalog: a product is withdrawn, not deleted, and never gets another SKU. Imports number products before they insert them.
GRANT INSERT, UPDATE (name, description, category, images, base_price, delivery_charge, active, variations)
  ON products TO wholesale_service;
GRANT USAGE ON SEQUENCE products_id_seq TO wholesale_service;
GRANT INSERT, UPDATE (on_hand, held), DELETE ON stock_items TO wholesale_service;
GRANT INSERT, UPDATE (price), DELETE ON plan_prices TO wholesale_service;

-- Orders move on; what was agreed stays.
GRANT INSERT, UPDATE (status, payment_status, paid_at, payment_method, payment_reference, courier, tracking_number, tracking_url,
  shipped_at, delivered_at, cancelled_at, cancel_reason) ON orders TO wholesale_service;

-- What has happened is added to and never changed.
GRANT INSERT ON store_order_ids, order_items, order_timeline, stock_movements, wallet_entries TO wholesale_service;

-- Wallets move with their entries; a new client's is empty.
GRANT INSERT (client_id), UPDATE (balance, entries) ON wallets TO wholesale_service;
GRANT INSERT, UPDATE ON auto_pay TO wholesale_service;

-- Refusals are kept for 30 days, so many of a client in an hour; the rest is counted.
GRANT INSERT, DELETE ON refused_orders TO wholesale_service;
GRANT INSERT, UPDATE (kept, kept_bytes, left_out, left_out_at), DELETE ON refusal_hours TO wholesale_service;

-- The first node that finds a restored database has its rows stamped anew. Tombstones and stamps are the database's own business.
GRANT EXECUTE ON FUNCTION begin_history() TO wholesale_service;

COMMIT;
