import { SchemaPart } from '../schema-part.js';

/** The orders of test tokens. Nothing else refers to them. */
export class TestOrders1795824000016 extends SchemaPart {
  protected override readonly statements = [TEST_ORDERS];
}

const TEST_ORDERS = `
  CREATE TABLE test_orders (
    client_id integer NOT NULL,
    order_number text NOT NULL,
    claim text,
    content_hash bytea NOT NULL,
    placed_at timestamptz NOT NULL,
    content jsonb NOT NULL,
    changed bigint NOT NULL,
    CONSTRAINT test_orders_pk PRIMARY KEY (client_id, order_number),
    CONSTRAINT test_orders_claim_once UNIQUE (client_id, claim),
    CONSTRAINT test_orders_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
  );
  CREATE INDEX test_orders_placed ON test_orders (placed_at);
  CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON test_orders
    FOR EACH ROW EXECUTE FUNCTION stamp_change();
  ALTER TABLE test_orders ENABLE ALWAYS TRIGGER stamp;`;
