import { SchemaPart } from '../schema-part.js';

/**
 * The fields of a test order that its list shows. A trigger writes them, so that nodes of 1.0.0 do too. Older
 * rows have none: the function makes them when they are read, until they are too old to be kept.
 */
export class TestOrderHeads1796083200003 extends SchemaPart {
  protected override readonly statements = [HEADS];
}

const HEADS = `
  ALTER TABLE test_orders ADD COLUMN head jsonb;
  CREATE FUNCTION test_order_head(content jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_set(
      content - '{items,timeline,parcels,parcelItems,returns,returnItems,refunds,refundItems}'::text[],
      '{statusChangedAt}', content #> '{timeline,-1,changedAt}')
  $$;
  CREATE FUNCTION keep_test_order_head() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.head := test_order_head(NEW.content);
    RETURN NEW;
  END $$;
  CREATE TRIGGER head BEFORE INSERT OR UPDATE ON test_orders
    FOR EACH ROW EXECUTE FUNCTION keep_test_order_head();
  ALTER TABLE test_orders ENABLE ALWAYS TRIGGER head;`;
