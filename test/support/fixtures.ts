import type { Pool } from 'pg';
import { newToken } from '../../src/auth/tokens/token-secret.js';
import { variationKeys, type Variation } from '../../src/read-model/products/variations.js';

/** A client with a token, as it would call the API. */
export interface Store {
  clientId: number;
  tokenId: number;
  token: string;
  domain: string;
  planId: number;
  headers: Record<string, string>;
}

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
  /** One count for every key, or the count of each key. */
  stock?: number | Record<string, number>;
}

interface StoreOptions {
  name?: string;
  domain?: string;
  planId?: number;
  /** Days from now; negative lies in the past. `null`: no subscription at all. */
  from?: number;
  until?: number | null;
}

/** What tests are about, made in one line each with whatever the test does not care about filled in. */
export class Fixtures {
  private count = 0;

  constructor(
    private readonly pool: Pool,
    private readonly seen: () => Promise<void>,
  ) {}

  async plan(
    options: { code?: string; name?: string; discount?: string } = {},
  ): Promise<{ id: number; code: string }> {
    const { code = this.unique('plan'), name = 'Test plan', discount = '0' } = options;
    const { rows } = await this.pool.query<{ id: number; code: string }>(
      'INSERT INTO plans (code, name, discount) VALUES ($1, $2, $3) RETURNING id, code',
      [code, name, discount],
    );
    await this.seen();
    return rows[0]!;
  }

  async product(options: ProductOptions = {}): Promise<{ id: number; sku: string }> {
    const { sku = this.unique('SKU'), variations = [], stock = 10 } = options;
    const { rows } = await this.pool.query<{ id: number; sku: string }>(
      `INSERT INTO products (sku, name, description, category, images, base_price, delivery_charge, active, variations)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id, sku`,
      [
        sku,
        options.name ?? `Product ${sku}`,
        options.description ?? 'A product for a test.',
        options.category ?? 'Tests',
        options.images ?? [],
        options.basePrice ?? '100.00',
        options.deliveryCharge ?? '0.00',
        options.active ?? true,
        JSON.stringify(variations),
      ],
    );
    const product = rows[0]!;
    for (const key of variationKeys(variations)) {
      const onHand = typeof stock === 'number' ? stock : (stock[key] ?? 0);
      await this.pool.query(
        'INSERT INTO stock_items (product_id, variation_key, on_hand) VALUES ($1, $2, $3)',
        [product.id, key, onHand],
      );
    }
    await this.seen();
    return product;
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
      'INSERT INTO clients (name, email) VALUES ($1, $2) RETURNING id',
      [name, 'owner@example.com'],
    );
    const clientId = rows[0]!.id;
    if (until !== null) await this.subscription(clientId, planId, from, until);
    const { tokenId, token } = await this.token(clientId, domain);
    return {
      clientId,
      tokenId,
      token,
      domain,
      planId,
      headers: { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain },
    };
  }

  async subscription(clientId: number, planId: number, fromDays: number, untilDays: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
       VALUES ($1, $2, now() + make_interval(days => $3), now() + make_interval(days => $4))`,
      [clientId, planId, fromDays, untilDays],
    );
    await this.seen();
  }

  async token(clientId: number, domain: string): Promise<{ tokenId: number; token: string }> {
    const { token, prefix, hash } = newToken();
    const { rows } = await this.pool.query<{ id: number }>(
      'INSERT INTO tokens (client_id, hash, prefix, domain) VALUES ($1, $2, $3, $4) RETURNING id',
      [clientId, hash, prefix, domain],
    );
    await this.seen();
    return { tokenId: rows[0]!.id, token };
  }

  /** SQL by hand, seen by the app when the promise resolves. */
  async sql(text: string, values: unknown[] = []): Promise<void> {
    await this.pool.query(text, values);
    await this.seen();
  }

  /** What nobody may do to what has happened, past the triggers that refuse it: as only a superuser can. */
  async rewrite(text: string, values: unknown[] = []): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      await client.query(text, values);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await this.seen();
  }

  private unique(prefix: string): string {
    this.count++;
    return `${prefix}-${this.count}`;
  }
}
