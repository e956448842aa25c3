import type { TokenKind } from '../../src/platform/access/token-kind.js';
import { newToken } from '../../src/modules/auth/tokens/token-secret.js';
import { variationKeys, type Variation } from '../../src/read-model/products/variations.js';
import { DirectChanges } from './direct-changes.js';
import { makeNeighbours, type Neighbours } from './neighbours.js';

/** A client with a token for API calls. */
export interface Store {
  clientId: number;
  tokenId: number;
  token: string;
  domain: string;
  planId: number;
  headers: Record<string, string>;
}

type MadeToken = Pick<Store, 'tokenId' | 'token'>;

interface ProductOptions {
  sku?: string;
  name?: string;
  description?: string;
  category?: string;
  images?: string[];
  basePrice?: string;
  deliveryCharge?: string;
  active?: boolean;
  variations?: Variation[];
  hsn?: string;
  gstRate?: string;
  unit?: string;
  /** One quantity for every key, or the quantity of each key. */
  stock?: number | Record<string, number>;
}

interface StoreOptions {
  name?: string;
  domain?: string;
  planId?: number;
  /** Days from now; negative values are in the past. `null` means no subscription. */
  from?: number;
  until?: number | null;
  /** For invoices: the code of its state, and its GSTIN. It then has an address too. */
  state?: string;
  gstin?: string;
}

/** Creates test data in one line each, with defaults for everything that the test does not need. */
export class Fixtures extends DirectChanges {
  private made = 0;
  private neighboursMade = 0;

  async plan(
    options: { code?: string; name?: string; discount?: string } = {},
  ): Promise<{ id: number; code: string }> {
    const { code = this.unique('plan'), name = 'Test plan', discount = '0' } = options;
    const { rows } = await this.pool.query<{ id: number; code: string }>(
      'INSERT INTO plans (code, name, discount) VALUES ($1, $2, $3) RETURNING id, code',
      [code, name, discount],
    );
    await this.observed();
    return rows[0]!;
  }

  async product(options: ProductOptions = {}): Promise<{ id: number; sku: string }> {
    const [product] = await this.products([options]);
    return product!;
  }

  /** Creates several products at once. */
  async products(options: ProductOptions[]): Promise<{ id: number; sku: string }[]> {
    const products = options.map((each) => ({ ...this.usualProduct(), ...each }));
    const { rows } = await this.pool.query<{ id: number; sku: string }>(
      `INSERT INTO products
         (sku, name, description, category, images, base_price, delivery_charge, active, variations, hsn, gst_rate, unit)
       SELECT sku, coalesce(name, 'Product ' || sku), description, category, images, "basePrice",
              "deliveryCharge", active, variations, coalesce(hsn, ''), "gstRate", coalesce(unit, '')
         FROM ROWS FROM (jsonb_to_recordset($1) AS (sku text, name text, description text, category text,
                images text[], "basePrice" numeric, "deliveryCharge" numeric, active boolean,
                variations jsonb, hsn text, "gstRate" numeric, unit text)) WITH ORDINALITY
        ORDER BY ordinality RETURNING id, sku`,
      [JSON.stringify(products)],
    );
    await this.pool.query(
      `INSERT INTO stock_items (product_id, variation_key, on_hand)
       SELECT p.id, s.key, s."onHand"
         FROM ROWS FROM (jsonb_to_recordset($1) AS (sku text, key text, "onHand" integer)) WITH ORDINALITY s
         JOIN products p USING (sku)
        ORDER BY s.ordinality`,
      [JSON.stringify(products.flatMap(stockRows))],
    );
    await this.observed();
    return rows;
  }

  async store(options: StoreOptions = {}): Promise<Store> {
    const {
      name = 'Test store',
      domain = `${this.unique('store')}.example.com`,
      from = -1,
      until = 30,
    } = options;
    const planId = options.planId ?? (await this.plan()).id;
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO clients (name, email, state, gstin, billing_address)
       VALUES ($1, $2, $3::text, $4, CASE WHEN $3::text IS NOT NULL THEN '4, Residency Road' END) RETURNING id`,
      [name, 'owner@example.com', options.state, options.gstin],
    );
    const clientId = rows[0]!.id;
    if (until !== null) await this.subscription(clientId, planId, from, until);
    const { tokenId, token } = await this.token(clientId, domain);
    return { clientId, tokenId, token, domain, planId, headers: headersOf(token, domain) };
  }

  /** A seller in Karnataka: from now on documents are issued. */
  async seller({ receiptVouchers = false } = {}): Promise<void> {
    await this.pool.query(
      `INSERT INTO sellers (name, gstin, address, state, receipt_vouchers)
       VALUES ('Wholesale House', '29AAGCB7383J1Z4', '1, Brigade Road, Bengaluru 560001', '29', $1)
       ON CONFLICT (id) DO UPDATE SET receipt_vouchers = excluded.receipt_vouchers`,
      [receiptVouchers],
    );
  }

  async subscription(clientId: number, planId: number, fromDays: number, untilDays: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
       VALUES ($1, $2, now() + $3 * interval '1 day', now() + $4 * interval '1 day')`,
      [clientId, planId, fromDays, untilDays],
    );
    await this.observed();
  }

  async token(clientId: number, domain: string, kind: TokenKind = 'full'): Promise<MadeToken> {
    const { token, prefix, hash } = newToken(kind);
    await this.pool.query(
      `INSERT INTO client_domains (client_id, domain, allowed_by) VALUES ($1, $2, 'test')
       ON CONFLICT DO NOTHING`,
      [clientId, domain],
    );
    const { rows } = await this.pool.query<{ id: number }>(
      'INSERT INTO tokens (client_id, hash, prefix, domain, kind) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      [clientId, hash, prefix, domain, kind],
    );
    await this.observed();
    return { tokenId: rows[0]!.id, token };
  }

  /** The same store with another token. */
  async withToken(store: Store, kind: TokenKind): Promise<Store> {
    const made = await this.token(store.clientId, store.domain, kind);
    return { ...store, ...made, headers: headersOf(made.token, store.domain) };
  }

  /** Creates unpaid orders with the same time, without holding stock: WO-20260101-00000-00001, … */
  async orders({ clientId }: Store, count: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO orders (client_id, order_number, status, payment_status, plan_code, currency, subtotal,
         delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city,
         shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at)
       SELECT $1, 'WO-20260101-00000-' || lpad(n::text, 5, '0'), 'awaiting_payment', 'unpaid', 'p', 'INR', 1,
              0, 1, 1, 'a', '1', 'a', 'a', 'a', '560038', 'India', ''::bytea, now(), now() + interval '3 days'
         FROM generate_series(1, $2) AS n`,
      [clientId, count],
    );
    await this.pool.query(
      `INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
       SELECT client_id, order_number, 1, status, placed_at, 'test' FROM orders WHERE client_id = $1`,
      [clientId],
    );
    await this.observed();
  }

  /**
   * Rows of every kind that a list must leave out or tell apart: those of another client, and with a store also
   * former and coming rows of the store itself. Each test of a list calls it and compares whole lists.
   */
  async neighbours({ of }: { of?: Store } = {}): Promise<Neighbours> {
    const neighbours = await makeNeighbours(this.pool, ++this.neighboursMade, of?.clientId);
    await this.observed();
    return neighbours;
  }

  private usualProduct() {
    return {
      sku: this.unique('SKU'),
      description: 'A product for a test.',
      category: 'Tests',
      images: [],
      basePrice: '100.00',
      deliveryCharge: '0.00',
      active: true,
      variations: [],
      stock: 10,
    };
  }

  private unique(prefix: string): string {
    this.made++;
    return `${prefix}-${this.made}`;
  }
}

const headersOf = (token: string, domain: string) => ({
  Authorization: `Bearer ${token}`,
  'X-Client-Domain': domain,
});

function stockRows({
  sku,
  variations,
  stock,
}: Required<Pick<ProductOptions, 'sku' | 'variations' | 'stock'>>) {
  return variationKeys(variations).map((key) => ({
    sku,
    key,
    onHand: typeof stock === 'number' ? stock : (stock[key] ?? 0),
  }));
}
