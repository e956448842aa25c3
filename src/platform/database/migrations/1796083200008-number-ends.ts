import { SchemaPart } from '../schema-part.js';

/** Pages show the end of a number, so people type it. */
export class NumberEnds1796083200008 extends SchemaPart {
  protected override readonly statements = [
    `CREATE INDEX orders_number_end ON orders (right(order_number, 11))`,
    `CREATE INDEX order_returns_number_end ON order_returns (right(return_number, 11))`,
    `CREATE INDEX tax_documents_order_end ON tax_documents (right(order_number, 11))`,
  ];
}
