import { SchemaPart } from '../schema-part.js';

/** Each order keeps the domain of the token that placed it. A store's own ids belong to its domain. */
export class OrderDomains1796083200001 extends SchemaPart {
  protected override readonly statements = [DOMAIN, IDS, TEST_ORDERS];
}

/**
 * Empty for orders of 1.0.0 and of people. Every `changed` is positive: the condition keeps look-ups by key
 * away, as the migration of orders says.
 */
const DOMAIN = `
  ALTER TABLE orders ADD COLUMN domain text;
  CREATE INDEX orders_newest_of_domain ON orders (client_id, domain, placed_at DESC, order_number DESC)
    WHERE changed > 0;
  CREATE TRIGGER agreed_domain BEFORE UPDATE OF domain ON orders FOR EACH ROW
    WHEN (OLD.domain IS DISTINCT FROM NEW.domain)
    EXECUTE FUNCTION refuse_rewriting('what was agreed is never changed');`;

/**
 * The first order of a client with an id claims it in store_order_ids, the order of another domain with the
 * same id here. One table with the domain in its key would be simpler, but 1.0.0 reads one order for an id:
 * two rows would fail its statements. It keeps finding the first order, and never places an id twice.
 */
const IDS = `
  CREATE TABLE domain_order_ids (
    client_id integer NOT NULL,
    store_order_id text NOT NULL,
    domain text NOT NULL,
    order_number text NOT NULL,
    CONSTRAINT domain_order_ids_pk PRIMARY KEY (client_id, store_order_id, domain),
    CONSTRAINT domain_order_ids_first_fk FOREIGN KEY (client_id, store_order_id)
      REFERENCES store_order_ids (client_id, store_order_id)
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON domain_order_ids
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

/** 1.0.0 takes any of several test orders with its claim, so here one key is enough. */
const TEST_ORDERS = `
  ALTER TABLE test_orders ADD COLUMN domain text;
  ALTER TABLE test_orders DROP CONSTRAINT test_orders_claim_once;
  CREATE UNIQUE INDEX test_orders_claim_once ON test_orders (client_id, claim, domain) NULLS NOT DISTINCT
    WHERE claim IS NOT NULL;`;
