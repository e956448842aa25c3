import { SchemaPart } from '../schema-part.js';

/** Programs list orders by the time when they left. */
export class ShippedOrders1796083200012 extends SchemaPart {
  protected override readonly statements = [
    `CREATE INDEX orders_shipped ON orders (shipped_at) WHERE shipped_at IS NOT NULL`,
  ];
}
