import { SchemaPart } from '../schema-part.js';

/** The seller, the tax data of clients and products, and the documents that the tax law asks for. */
export class Tax1795824000013 extends SchemaPart {
  protected override readonly statements = [PARTIES, FACTS_LOGGED, DOCUMENTS];
}

const PARTIES = `
  -- A row for each registration of the seller. Without a row, no document is issued. The id is in the numbers
  -- of its documents. GST began on the first day.
  CREATE TABLE sellers (
    id smallint NOT NULL DEFAULT 1,
    since date NOT NULL DEFAULT '2017-07-01',
    name text NOT NULL,
    gstin text NOT NULL,
    address text NOT NULL,
    state text NOT NULL,
    receipt_vouchers boolean NOT NULL DEFAULT false,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sellers_pk PRIMARY KEY (id),
    CONSTRAINT sellers_since_once UNIQUE (since),
    CONSTRAINT sellers_begin_with_a_month CHECK (extract(day FROM since) = 1),
    CONSTRAINT sellers_id_is_a_digit CHECK (id BETWEEN 1 AND 9)
  );

  ALTER TABLE clients
    ADD COLUMN gstin text,
    ADD COLUMN gst_category text
      CONSTRAINT clients_gst_category_known CHECK (gst_category IN ('sez', 'government', 'uin')),
    ADD COLUMN state text,
    ADD COLUMN billing_address text,
    ADD COLUMN ledger_name text;

  -- In the accounts a client keeps the name that it had first.
  CREATE FUNCTION keep_ledger_name() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.ledger_name := coalesce(OLD.ledger_name, OLD.name);
    RETURN NEW;
  END $$;
  CREATE TRIGGER keep_ledger_name BEFORE UPDATE OF name ON clients
    FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION keep_ledger_name();

  -- A firm never bills itself.
  CREATE FUNCTION refuse_seller() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM sellers WHERE gstin = NEW.gstin) THEN
      RAISE EXCEPTION 'the client would be the seller'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'clients_are_not_the_seller';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refuse_seller BEFORE INSERT OR UPDATE OF gstin ON clients
    FOR EACH ROW WHEN (NEW.gstin IS NOT NULL) EXECUTE FUNCTION refuse_seller();

  ALTER TABLE products
    ADD COLUMN hsn text NOT NULL DEFAULT '',
    ADD COLUMN gst_rate numeric(5,2),
    ADD COLUMN gst_treatment text NOT NULL DEFAULT 'taxable',
    ADD COLUMN unit text NOT NULL DEFAULT '',
    ADD CONSTRAINT products_gst_rate_is_percent CHECK (gst_rate >= 0 AND gst_rate <= 100),
    ADD CONSTRAINT products_gst_treatment_known CHECK (
      gst_treatment IN ('taxable', 'nil_rated', 'exempt', 'non_gst')
      AND (gst_treatment = 'taxable' OR gst_rate IS NULL OR gst_rate = 0));`;

/**
 * Changes of facts that documents copy, and of all that people set of a client. Triggers write them to the
 * audit log, so that no command, file or SQL by hand can forget to. A transaction names its actor in the
 * settings of \`actAs\`. The first argument of the trigger names the subject, the others the columns.
 */
const FACTS_LOGGED = `
  CREATE FUNCTION log_fact() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    is_now jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    either jsonb := coalesce(is_now, was);
    author text := coalesce(nullif(current_setting('wholesale.actor', true), ''), 'sql:' || session_user);
  BEGIN
    INSERT INTO audit_log (client_id, person_id, actor, address, action, subject, details)
    SELECT CASE TG_ARGV[0] WHEN 'client' THEN (either->>'id')::int END,
           substring(author from '^person (\\d+) ')::int, author,
           nullif(current_setting('wholesale.address', true), ''), TG_ARGV[0] || '.changed',
           concat_ws(' ', TG_ARGV[0],
                     CASE TG_ARGV[0] WHEN 'client' THEN either->>'id' WHEN 'product' THEN either->>'sku'
                                    WHEN 'seller' THEN nullif(either->>'id', '1') END),
           jsonb_object_agg(name, value)
      FROM unnest(TG_ARGV[1:]) AS field,
           LATERAL (VALUES (field, is_now->field), (field || '_before', was->field)) AS told (name, value)
     WHERE was->>field IS DISTINCT FROM is_now->>field
    HAVING count(*) > 0;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION log_fact() FROM PUBLIC;

  CREATE TRIGGER log_fact AFTER INSERT OR UPDATE OR DELETE ON sellers FOR EACH ROW
    EXECUTE FUNCTION log_fact('seller', 'since', 'name', 'gstin', 'address', 'state', 'receipt_vouchers');
  CREATE TRIGGER log_fact AFTER UPDATE ON clients FOR EACH ROW
    EXECUTE FUNCTION log_fact('client', 'name', 'email', 'unpaid_value_limit', 'unpaid_orders_limit',
                              'time_zone', 'gstin', 'gst_category', 'state', 'billing_address');
  CREATE TRIGGER log_fact AFTER UPDATE ON products FOR EACH ROW
    WHEN ((OLD.hsn, OLD.gst_rate, OLD.gst_treatment, OLD.unit)
          IS DISTINCT FROM (NEW.hsn, NEW.gst_rate, NEW.gst_treatment, NEW.unit))
    EXECUTE FUNCTION log_fact('product', 'hsn', 'gst_rate', 'gst_treatment', 'unit');`;

/** The amounts of a document and of each of its items. */
const AMOUNTS = `
    gross numeric(16,2) NOT NULL,
    taxable numeric(16,2) NOT NULL,
    cgst numeric(16,2) NOT NULL,
    sgst numeric(16,2) NOT NULL,
    igst numeric(16,2) NOT NULL`;

const amountsAddUp = (table: string) => `
    CONSTRAINT ${table}_amounts_add_up CHECK (gross = taxable + cgst + sgst + igst),
    CONSTRAINT ${table}_one_kind_of_tax CHECK (igst = 0 OR cgst = 0 AND sgst = 0)`;

/**
 * The last number of a series is a row, not a sequence: a transaction that rolls back leaves no gap. Only the
 * documents themselves count it on, as the owner of the tables. Numbers that were issued after a backup are
 * skipped by the owner.
 */
const DOCUMENTS = `
  CREATE TABLE document_series (
    kind text NOT NULL,
    year text NOT NULL,
    seller smallint NOT NULL DEFAULT 1,
    last integer NOT NULL,
    skipped integer NOT NULL DEFAULT 0,
    issued_at timestamptz,
    CONSTRAINT document_series_pk PRIMARY KEY (kind, year, seller),
    CONSTRAINT document_series_last_positive CHECK (last > 0),
    CONSTRAINT document_series_skipped_within CHECK (skipped BETWEEN 0 AND last)
  );
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON document_series
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER forward BEFORE UPDATE ON document_series
    FOR EACH ROW WHEN (NEW.last < OLD.last) EXECUTE FUNCTION refuse_change();

  CREATE TABLE tax_documents (
    number text NOT NULL,
    kind text NOT NULL,
    seller smallint NOT NULL DEFAULT 1,
    issued_at timestamptz NOT NULL,
    issued_on date NOT NULL,
    supplied_on date,
    client_id integer NOT NULL,
    order_number text,
    parcel integer,
    edition integer NOT NULL DEFAULT 1,
    part smallint NOT NULL DEFAULT 1,
    refund integer,
    against text,
    voids boolean NOT NULL DEFAULT false,
    credit_ended_on date,
    is_commercial boolean NOT NULL DEFAULT false,
    payment_key text,
    place_of_supply text NOT NULL,${AMOUNTS},
    reason text,
    reason_code text,
    facts jsonb NOT NULL,
    CONSTRAINT tax_documents_pk PRIMARY KEY (number),
    CONSTRAINT tax_documents_client_fk FOREIGN KEY (client_id) REFERENCES clients (id),
    CONSTRAINT tax_documents_order_fk
      FOREIGN KEY (client_id, order_number) REFERENCES orders (client_id, order_number),
    CONSTRAINT tax_documents_against_fk FOREIGN KEY (against) REFERENCES tax_documents (number),
    -- Only invoices have a parcel. The constraint also finds the documents of an order.
    CONSTRAINT tax_documents_parcel_once UNIQUE (order_number, client_id, parcel, edition, part),
    CONSTRAINT tax_documents_payment_once UNIQUE (payment_key, client_id),
    CONSTRAINT tax_documents_number_length CHECK (char_length(number) <= 16),
    CONSTRAINT tax_documents_number_has_seller CHECK (
      substring(number from '^[A-Z]+([2-9]?)-') = CASE seller WHEN 1 THEN '' ELSE seller::text END),
    CONSTRAINT tax_documents_kind_known CHECK (
      kind IN ('invoice', 'credit_note', 'debit_note', 'receipt_voucher', 'refund_voucher')),
    CONSTRAINT tax_documents_kind_has_its_source CHECK (
      (kind = 'invoice') = (parcel IS NOT NULL)
      AND (kind IN ('credit_note', 'debit_note')) = (against IS NOT NULL)
      AND (kind IN ('receipt_voucher', 'refund_voucher')) = (payment_key IS NOT NULL)
      AND (payment_key IS NOT NULL OR order_number IS NOT NULL)),
    CONSTRAINT tax_documents_only_notes_void CHECK (kind = 'credit_note' OR NOT voids),
    CONSTRAINT tax_documents_supplied_before CHECK (supplied_on < issued_on),
    CONSTRAINT tax_documents_late_notes_without_tax CHECK (
      credit_ended_on IS NULL
      OR against IS NOT NULL AND credit_ended_on < issued_on AND taxable = gross),
    CONSTRAINT tax_documents_commercial_notes_without_tax CHECK (
      NOT is_commercial OR against IS NOT NULL AND taxable = gross),
    CONSTRAINT tax_documents_reason_code_of_note CHECK (
      reason_code IS NULL OR reason_code ~ '^0[1-7]$' AND against IS NOT NULL),
    CONSTRAINT tax_documents_gross_not_negative CHECK (gross >= 0),${amountsAddUp('tax_documents')}
  );
  CREATE INDEX tax_documents_client ON tax_documents (client_id, issued_on, number);
  CREATE INDEX tax_documents_day ON tax_documents (issued_on, number);
  CREATE INDEX tax_documents_vouchers ON tax_documents (client_id, kind, issued_at)
    WHERE payment_key IS NOT NULL;
  CREATE UNIQUE INDEX tax_documents_void_once ON tax_documents (against) WHERE voids;
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE FUNCTION count_documents() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO document_series AS s (kind, year, seller, last, issued_at)
      SELECT kind, split_part(number, '-', 2), seller, count(*), max(issued_at) FROM added GROUP BY 1, 2, 3
      ON CONFLICT (kind, year, seller) DO UPDATE
        SET last = s.last + excluded.last, issued_at = greatest(s.issued_at, excluded.issued_at);
    -- Numbers are unique, so a series without a gap is as long as its first and last number say.
    IF EXISTS (
      SELECT FROM added AS a
        JOIN document_series AS s
          ON (s.kind, s.year, s.seller) = (a.kind, split_part(a.number, '-', 2), a.seller)
       GROUP BY s.kind, s.year, s.seller, s.last
      HAVING max(split_part(a.number, '-', 3)::integer) <> s.last
          OR min(split_part(a.number, '-', 3)::integer) <> s.last - count(*) + 1
    ) THEN
      RAISE EXCEPTION 'the numbers do not continue their series' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION count_documents() FROM PUBLIC;
  CREATE TRIGGER counted AFTER INSERT ON tax_documents REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_documents();

  CREATE TABLE tax_document_items (
    number text NOT NULL,
    position integer NOT NULL,
    line integer,
    of_position integer,
    description text NOT NULL,
    sku text NOT NULL,
    hsn text NOT NULL,
    unit text NOT NULL,
    quantity integer NOT NULL,
    unit_price numeric(16,2) NOT NULL,
    gst_rate numeric(5,2) NOT NULL,
    gst_treatment text NOT NULL DEFAULT 'taxable',${AMOUNTS},
    CONSTRAINT tax_document_items_pk PRIMARY KEY (number, position),
    CONSTRAINT tax_document_items_document_fk FOREIGN KEY (number) REFERENCES tax_documents (number),
    CONSTRAINT tax_document_items_not_negative CHECK (quantity >= 0 AND gross >= 0),${amountsAddUp(
      'tax_document_items',
    )}
  );
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_document_items
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- The registration of a document that needs one: it waits, has its IRN, or the IRN was cancelled.
  CREATE TABLE e_invoices (
    number text NOT NULL,
    issued_on date NOT NULL,
    irn text,
    ack_number text,
    acked_at timestamptz,
    signed_qr text,
    recorded_at timestamptz,
    actor text,
    cancelled_at timestamptz,
    cancel_recorded_at timestamptz,
    CONSTRAINT e_invoices_pk PRIMARY KEY (number),
    CONSTRAINT e_invoices_document_fk FOREIGN KEY (number) REFERENCES tax_documents (number),
    CONSTRAINT e_invoices_irn_once UNIQUE (irn),
    CONSTRAINT e_invoices_irn_is_hash CHECK (irn ~ '^[0-9a-f]{64}$'),
    CONSTRAINT e_invoices_answered CHECK (
      num_nulls(irn, ack_number, acked_at, signed_qr, recorded_at, actor) IN (0, 6)),
    CONSTRAINT e_invoices_cancelled_later CHECK (
      cancelled_at IS NULL OR irn IS NOT NULL AND cancelled_at >= acked_at)
  );
  CREATE INDEX e_invoices_waiting ON e_invoices (issued_on, number) WHERE irn IS NULL;
  CREATE INDEX e_invoices_cancelled ON e_invoices (number) WHERE cancelled_at IS NOT NULL;
  CREATE TRIGGER answered_once BEFORE UPDATE ON e_invoices FOR EACH ROW
    WHEN (OLD.cancelled_at IS NOT NULL OR (NEW.number, NEW.issued_on) <> (OLD.number, OLD.issued_on)
          OR OLD.irn IS NOT NULL
             AND (NEW.irn, NEW.ack_number, NEW.acked_at, NEW.signed_qr, NEW.recorded_at, NEW.actor)
                 IS DISTINCT FROM
                 (OLD.irn, OLD.ack_number, OLD.acked_at, OLD.signed_qr, OLD.recorded_at, OLD.actor))
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON e_invoices
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- Months whose return was filed, as a person says. The audit log keeps marks that were taken back.
  CREATE TABLE filed_returns (
    period text NOT NULL,
    gstin text NOT NULL,
    filed_at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    arn text,
    CONSTRAINT filed_returns_pk PRIMARY KEY (period, gstin),
    CONSTRAINT filed_returns_month CHECK (period ~ '^20\\d\\d-(0[1-9]|1[0-2])$')
  );

  -- The e-way bill of an invoice: it waits for its number, has it, or ended: cancelled, or not needed.
  CREATE TABLE e_way_bills (
    number text NOT NULL,
    edition smallint NOT NULL DEFAULT 1,
    issued_on date NOT NULL,
    transport jsonb NOT NULL DEFAULT '{}',
    bill_number text,
    generated_at timestamptz,
    valid_until timestamptz,
    ended_at timestamptz,
    reason text,
    actor text,
    CONSTRAINT e_way_bills_pk PRIMARY KEY (number, edition),
    CONSTRAINT e_way_bills_document_fk FOREIGN KEY (number) REFERENCES tax_documents (number),
    CONSTRAINT e_way_bills_number_once UNIQUE (bill_number),
    CONSTRAINT e_way_bills_number_has_digits CHECK (bill_number ~ '^\\d{12}$'),
    CONSTRAINT e_way_bills_answered CHECK (num_nulls(bill_number, generated_at) IN (0, 2)),
    CONSTRAINT e_way_bills_valid_later CHECK (
      valid_until IS NULL OR bill_number IS NOT NULL AND valid_until >= generated_at),
    CONSTRAINT e_way_bills_ended_later CHECK (ended_at >= generated_at),
    CONSTRAINT e_way_bills_not_needed_has_reason CHECK (
      ended_at IS NULL OR bill_number IS NOT NULL OR reason IS NOT NULL)
  );
  CREATE UNIQUE INDEX e_way_bills_open_once ON e_way_bills (number) WHERE ended_at IS NULL;
  CREATE INDEX e_way_bills_waiting ON e_way_bills (issued_on, number)
    WHERE bill_number IS NULL AND ended_at IS NULL;
  -- The portal may extend the validity, and another vehicle may carry on.
  CREATE TRIGGER answered_once BEFORE UPDATE ON e_way_bills FOR EACH ROW
    WHEN (OLD.ended_at IS NOT NULL
          OR (NEW.number, NEW.edition, NEW.issued_on) <> (OLD.number, OLD.edition, OLD.issued_on)
          OR OLD.bill_number IS NOT NULL
             AND (NEW.bill_number, NEW.generated_at) IS DISTINCT FROM (OLD.bill_number, OLD.generated_at))
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON e_way_bills
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;
