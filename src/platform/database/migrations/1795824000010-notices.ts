import { SchemaPart } from '../schema-part.js';

/** Mails about orders and money that people choose. */
export class Notices1795824000010 extends SchemaPart {
  protected override readonly statements = [NOTICES];
}

const NOTICES = `
  CREATE TABLE notice_choices (
    person_id integer NOT NULL,
    kinds text[] NOT NULL,
    low_wallet numeric(16,2),
    CONSTRAINT notice_choices_pk PRIMARY KEY (person_id),
    CONSTRAINT notice_choices_person_fk FOREIGN KEY (person_id) REFERENCES people (id)
  );

  CREATE TABLE notice_marks (
    kind text NOT NULL,
    told_until timestamptz NOT NULL,
    CONSTRAINT notice_marks_pk PRIMARY KEY (kind)
  );
  INSERT INTO notice_marks (kind, told_until)
    SELECT unnest(ARRAY['payment_due', 'order_cancelled', 'money', 'low_wallet', 'calls_failing',
                        'order_shipped', 'price_change', 'return_answered', 'refund', 'suspended',
                        'subscription_ends', 'transfer_reported', 'return_requested', 'payment_to_check',
                        'low_stock', 'job_failed', 'statement']), now();

  CREATE TABLE job_failures (
    job text NOT NULL,
    failed_at timestamptz NOT NULL,
    CONSTRAINT job_failures_pk PRIMARY KEY (job)
  );

  CREATE TABLE notice_links (
    hash bytea NOT NULL,
    person_id integer NOT NULL,
    kind text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT notice_links_pk PRIMARY KEY (hash),
    CONSTRAINT notice_links_person_fk FOREIGN KEY (person_id) REFERENCES people (id)
  );
  CREATE INDEX notice_links_made ON notice_links (created_at);

  CREATE TABLE statement_mails (
    client_id integer NOT NULL,
    month text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT statement_mails_pk PRIMARY KEY (client_id, month),
    CONSTRAINT statement_mails_client_fk FOREIGN KEY (client_id) REFERENCES clients (id)
  );
  CREATE INDEX statement_mails_requested ON statement_mails (requested_at);`;
