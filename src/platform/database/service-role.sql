-- The rights of the role of the service and of the wholesaler's commands. This role cannot change the schema
-- or rewrite what was agreed or has happened; it can change only the columns that the service changes.
-- The command `migrate` runs this file, as the owner of the tables. It may run any number of times.
-- test/platform/database/rights.txt lists the rights that result, and a test compares them.
--
-- Once, as an administrator, before the first migration:
--   CREATE ROLE wholesale_owner LOGIN;
--   CREATE ROLE wholesale_service LOGIN;
--   CREATE DATABASE wholesale OWNER wholesale_owner;
--   \password wholesale_owner
--   \password wholesale_service

-- One transaction, so that running nodes always have their rights.
BEGIN;

-- Rights that no version needs any more end here. Those of the release before stay: its nodes run during an upgrade.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM wholesale_service;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM wholesale_service;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO wholesale_service;

-- The service reads every table.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO wholesale_service;

-- Clients, their plans and their tokens.
GRANT INSERT, UPDATE (name, discount), DELETE ON plans TO wholesale_service;
GRANT INSERT, UPDATE (name, email, suspended_at, unpaid_value_limit, unpaid_orders_limit, time_zone,
  gstin, gst_category, state, billing_address) ON clients TO wholesale_service;
GRANT INSERT, UPDATE (content), DELETE ON test_orders TO wholesale_service;
GRANT INSERT, UPDATE (name, ends_at, revoked_at) ON tokens TO wholesale_service;
GRANT INSERT, DELETE ON client_domains TO wholesale_service;
GRANT INSERT, UPDATE (last_used_at) ON token_uses TO wholesale_service;
-- A new subscription deletes the future ones that it replaces.
GRANT INSERT, UPDATE (ends_at), DELETE ON subscriptions TO wholesale_service;

-- Keys of the wholesaler's programs, and what they asked for.
GRANT INSERT, UPDATE (revoked_at, last_used_at, last_used_address) ON admin_keys TO wholesale_service;
GRANT INSERT, UPDATE (answer, asked_at, request_hash), DELETE ON admin_answers TO wholesale_service;

-- People and their sessions. A person keeps the number and the client.
GRANT INSERT, UPDATE (email, name, role, password_hash, totp_secret, totp_enabled_at, totp_last_step,
  disabled_at, released_at) ON people TO wholesale_service;
GRANT INSERT, UPDATE (last_seen_at, ended_at, second_step_at, seen_client_id, sees_until), DELETE
  ON sessions TO wholesale_service;
GRANT INSERT, UPDATE (used_at), DELETE ON recovery_codes TO wholesale_service;
GRANT INSERT, DELETE ON second_steps TO wholesale_service;
GRANT INSERT, UPDATE (attempts, window_ends_at), DELETE ON sign_in_attempts TO wholesale_service;
GRANT INSERT, UPDATE (mail_id), DELETE ON person_links TO wholesale_service;

-- The catalog. A product is withdrawn, not deleted, and keeps its SKU. Imports draw ids before they insert.
GRANT INSERT, UPDATE (name, description, category, images, base_price, delivery_charge, active, variations,
  low_stock, shelf, hsn, gst_rate, gst_treatment, unit, barcode, weight_grams, mrp, country_of_origin,
  manufacturer, net_quantity, details_url) ON products TO wholesale_service;
-- A picture never changes: its name is its hash.
GRANT INSERT ON pictures TO wholesale_service;
GRANT USAGE ON SEQUENCE products_id_seq TO wholesale_service;
GRANT INSERT, UPDATE (on_hand, held), DELETE ON stock_items TO wholesale_service;
GRANT INSERT, UPDATE (price), DELETE ON plan_prices TO wholesale_service;
-- What was scheduled stays. A schedule may end earlier, and records what became of it.
GRANT INSERT, UPDATE (to_at, withdrawn_at, applied_at, closed_at) ON price_schedules TO wholesale_service;
GRANT INSERT, UPDATE (replaced, state) ON scheduled_prices TO wholesale_service;

-- Files that are imported in the browser. They are deleted after a week; the rows of the history stay.
GRANT INSERT, UPDATE (size, state, options, checks, applied_by, progress, beat_at, ended_at, fault, result,
  lines, prints, reading), DELETE ON import_runs TO wholesale_service;
GRANT INSERT, DELETE ON import_pieces TO wholesale_service;

-- An order moves on and its destination can be corrected; the agreed columns stay.
GRANT INSERT, UPDATE (status, payment_status, paid_at, payment_method, payment_reference, courier,
  tracking_number, tracking_numbers, tracking_url, shipped_at, delivered_at, cancelled_at, cancel_reason,
  customer_name, customer_phone, shipping_address, shipping_city, shipping_state, shipping_pincode,
  shipping_country, packing_list, printed_slips, payments_undone) ON orders TO wholesale_service;

-- A parcel can be corrected and delivered; a return is decided once. The database sums up their units.
GRANT INSERT, UPDATE (courier, tracking_number, tracking_url, shipped_at, delivered_at, exception)
  ON parcels TO wholesale_service;
GRANT INSERT, UPDATE (state, accepted_at, accepted_by, send_to, send_by, decided_at, decided_by, decision,
                      refund_open) ON order_returns TO wholesale_service;
GRANT INSERT, UPDATE (received, restocked) ON order_return_items TO wholesale_service;

-- A parcel is prepared until it leaves or its invoice is taken back.
GRANT INSERT, DELETE ON prepared_parcels TO wholesale_service;

-- A parcel that never left is withdrawn with its units. Rows are not deleted otherwise.
GRANT EXECUTE ON FUNCTION withdraw_parcel(integer, text, integer) TO wholesale_service;

-- Notes are removed, not changed.
GRANT INSERT, DELETE ON notes TO wholesale_service;

-- A packing list keeps its number; it can be dropped.
GRANT INSERT, UPDATE (dropped_at) ON packing_lists TO wholesale_service;

-- Sums of finished days. They are added up again if a day has changed.
GRANT INSERT, UPDATE, DELETE ON sales_sums TO wholesale_service;
GRANT UPDATE (until, time_zone) ON sales_sums_kept TO wholesale_service;

-- Logs are only added to. The database itself writes the log of changes. The owner alone may delete old entries
-- of the audit log.
GRANT INSERT ON audit_log, store_order_ids, domain_order_ids, order_items, order_timeline, order_changes, parcel_items,
  order_refunds, order_refund_items, stock_movements, wallet_entries, tax_documents, tax_document_items
  TO wholesale_service;

-- The database itself counts unpaid orders. The service locks a count while it checks an order against it.
GRANT EXECUTE ON FUNCTION lock_unpaid_totals(integer[]) TO wholesale_service;

-- Wallets change with their entries; a new wallet is empty.
GRANT INSERT (client_id), UPDATE (balance, entries) ON wallets TO wholesale_service;
GRANT INSERT, UPDATE ON auto_pay TO wholesale_service;

-- The seller's row changes; documents never do. Only the database counts their series on. Unloading the demo
-- deletes its seller.
GRANT INSERT, UPDATE (since, name, gstin, address, state, receipt_vouchers, changed_at), DELETE
  ON sellers TO wholesale_service;

-- A document waits for the answer of the tax portal, which is recorded once, and perhaps its cancellation.
GRANT INSERT, UPDATE (irn, ack_number, acked_at, signed_qr, recorded_at, actor, cancelled_at,
  cancel_recorded_at) ON e_invoices TO wholesale_service;

-- A mark is taken back, and follows a mistyped GSTIN that is corrected.
GRANT INSERT, UPDATE (gstin), DELETE ON filed_returns TO wholesale_service;

-- An e-way bill gets its transport, its number and its validity, and ends.
GRANT INSERT, UPDATE (transport, bill_number, generated_at, valid_until, ended_at, reason, actor) ON e_way_bills
  TO wholesale_service;

-- The company profile, which the desk sets.
GRANT UPDATE (bank_details, contact, ledger_names, logo) ON house TO wholesale_service;

-- Mail; finished mail is deleted after 30 days.
GRANT INSERT, UPDATE (body, next_try_at, tries, fault, sent_at, given_up_at, withdrawn_at), DELETE
  ON outbox TO wholesale_service;

-- Notices that people choose; their links are deleted after 90 days.
GRANT INSERT, UPDATE (kinds, low_wallet) ON notice_choices TO wholesale_service;
GRANT UPDATE (told_until) ON notice_marks TO wholesale_service;
GRANT INSERT, UPDATE (failed_at) ON job_failures TO wholesale_service;
GRANT INSERT, DELETE ON notice_links TO wholesale_service;
GRANT INSERT ON statement_mails TO wholesale_service;

-- Payments, refunds and transfers change their state, not their amounts. Events are deleted after 30 days.
GRANT INSERT, UPDATE (gateway_order_id, status, paid_at, next_check_at, checks, urgent, asked_at,
  ended_at,
  answered_at, authorized, failure, concern, resolved_concern, resolution) ON payments TO wholesale_service;
GRANT INSERT ON payment_orders TO wholesale_service;
GRANT INSERT, UPDATE (gateway_refund_id, status, next_check_at, checks, concern)
  ON gateway_refunds TO wholesale_service;
GRANT INSERT, UPDATE (status, received, tds, decided_by, decided_at, reason, received_from) ON bank_transfers TO wholesale_service;
GRANT INSERT, UPDATE (processed_at), DELETE ON gateway_events TO wholesale_service;

-- Requests of stores are deleted after as many days as the settings say.
GRANT INSERT, DELETE ON store_requests TO wholesale_service;
GRANT INSERT, UPDATE (requests, kept, left_out), DELETE
  ON store_request_counts TO wholesale_service;

-- The sandbox gateway's table.
GRANT INSERT, UPDATE (state) ON sandbox TO wholesale_service;

-- The first node on a restored database gives its rows new change versions. Only the database writes versions and tombstones.
GRANT EXECUTE ON FUNCTION begin_history(), continue_history(interval), analyse_grown(real) TO wholesale_service;
GRANT UPDATE (seen_below, proven_at) ON history TO wholesale_service;

COMMIT;
