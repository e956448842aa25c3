import { SchemaPart } from '../schema-part.js';

/**
 * Stores see the documents of their orders and the e-way bills of invoices. So each new one sets the change
 * version of its order, and so does each change of an e-way bill that stores see.
 */
export class StampedDocuments1796083200004 extends SchemaPart {
  protected override readonly statements = [STAMPED];
}

const stamping = (name: string, table: string, event: string, when: string, action: string) => `
  CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${action}();
  ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name};`;

const facts = (row: 'OLD' | 'NEW') => `(${row}.bill_number, ${row}.valid_until, ${row}.ended_at)`;

const STAMPED = `
  CREATE FUNCTION stamp_order_of_invoice() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
  BEGIN
    UPDATE orders o SET changed = this_transaction
      FROM tax_documents d
     WHERE d.number = NEW.number AND o.client_id = d.client_id AND o.order_number = d.order_number
       AND o.changed <> this_transaction;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION stamp_order_of_invoice FROM PUBLIC;
  ${stamping('stamp_order', 'tax_documents', 'INSERT', 'NEW.order_number IS NOT NULL', 'stamp_order')}
  ${stamping(
    'stamp_order',
    'e_way_bills',
    'INSERT',
    'NEW.bill_number IS NOT NULL AND NEW.ended_at IS NULL',
    'stamp_order_of_invoice',
  )}
  ${stamping(
    'stamp_order_again',
    'e_way_bills',
    'UPDATE',
    `NEW.bill_number IS NOT NULL AND ${facts('OLD')} IS DISTINCT FROM ${facts('NEW')}`,
    'stamp_order_of_invoice',
  )}`;
