import { SchemaPart } from '../schema-part.js';

/** The invoices whose goods may need an e-way bill: the limit is judged when it is asked. */
export class EWayBills1796083200007 extends SchemaPart {
  protected override readonly statements = [
    `CREATE INDEX tax_documents_movements ON tax_documents (issued_on, number)
       WHERE kind = 'invoice' AND gross > 50000`,
  ];
}
