import { hash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { isAdmitted } from '../../src/read-model/callers/caller.js';
import { SnapshotConnection } from '../../src/read-model/snapshot/snapshot-connection.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { SnapshotSource } from '../../src/read-model/snapshot/snapshot-source.js';
import type { ProductView } from '../../src/read-model/products/product-view.js';
import { DELETE_EVERYTHING, withoutTriggers } from '../support/direct-changes.js';
import { eventually } from '../support/eventually.js';
import { watchLog } from '../support/watch-log.js';
import { expectSameAsFresh } from '../support/same-as-fresh.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Starts a snapshot that refreshes only when the test asks, or at a given interval. */
async function startSnapshot(
  url: string,
  { snapshotIntervalMs = 3_600_000, snapshotMaxAgeSeconds = 900 } = {},
): Promise<SnapshotService> {
  const source = new SnapshotSource(new SnapshotConnection(url));
  const snapshot = new SnapshotService(source, {
    snapshotIntervalMs,
    snapshotMaxAgeSeconds,
    maxClockSkewSeconds: 60,
  });
  await snapshot.start();
  opened.push(() => snapshot.onApplicationShutdown());
  return snapshot;
}

/**
 * Everything that a test opens is closed after it. Otherwise a snapshot without a database would search for
 * it forever.
 */
const opened: (() => Promise<void>)[] = [];

describe('the snapshot', () => {
  beforeAll(() => Logger.overrideLogger(false));

  let database: TestDatabase;
  let sql: Client;
  let snapshot: SnapshotService;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    sql = await connect();
    await sql.query(`
      ${DELETE_EVERYTHING}
      INSERT INTO plans (id, code, name, discount) VALUES (1, 'basic', 'Basic', 10);
      INSERT INTO products (id, sku, name, description, category, base_price, delivery_charge)
        VALUES (1, 'A', 'Product A', '', 'Tests', 100, 5), (2, 'B', 'Product B', '', 'Tests', 200, 5);
      INSERT INTO stock_items (id, product_id, on_hand) VALUES (1, 1, 10), (2, 2, 20);
      INSERT INTO clients (id, name, email) VALUES (1, 'Store', 'owner@example.com');
      INSERT INTO tokens (id, client_id, hash, prefix, domain)
        VALUES (1, 1, sha256('secret'), 'wha_s', 'store.example.com');
      INSERT INTO subscriptions (id, client_id, plan_id, starts_at, ends_at)
        VALUES (1, 1, 1, now() - interval '1 day', now() + interval '1 day');`);
    snapshot = await startSnapshot(database.serviceUrl);
  });

  afterEach(async () => {
    await expectSameAsFresh(snapshot, database.serviceUrl);
    await Promise.all(opened.splice(0).map((close) => close()));
  });

  async function connect(): Promise<Client> {
    const client = new Client(database.url);
    client.on('error', () => undefined);
    await client.connect();
    opened.push(() => client.end());
    return client;
  }

  async function change(statement: string): Promise<void> {
    await sql.query(statement);
    await snapshot.refreshNow();
  }

  const product = (sku: string): ProductView | undefined => snapshot.current().productIndex.find(sku);
  const available = (sku: string) => product(sku)?.stock[0]?.available;
  const token = () => {
    const holder = snapshot.findHolder(hash('sha256', 'secret', 'base64'));
    return holder && isAdmitted(holder, Date.now()) ? holder : undefined;
  };
  const plan = () => snapshot.activeSubscription(1, Date.now())!.plan;

  it('holds the active products and the valid tokens', () => {
    expect(product('A')).toMatchObject({ id: 1, basePrice: 10_000, deliveryCharge: 500, active: true });
    expect(available('B')).toBe(20);
    expect(plan().priceOf(product('A')!)).toBe(9_000);
    expect(token()).toMatchObject({
      token: { id: 1, domain: 'store.example.com' },
      client: { id: 1, name: 'Store' },
    });
  });

  it('sees a change by SQL', async () => {
    await change('UPDATE stock_items SET held = 4 WHERE id = 1');
    expect(available('A')).toBe(6);
  });

  it('sees changes by polling', async () => {
    const polling = await startSnapshot(database.serviceUrl, { snapshotIntervalMs: 20 });
    await sql.query('UPDATE stock_items SET on_hand = 11 WHERE id = 1');
    await eventually(() => polling.current().productIndex.find('A')?.stock[0]?.available === 11);
  });

  it('drops deleted rows', async () => {
    await change('DELETE FROM products WHERE id = 1; DELETE FROM tokens; DELETE FROM subscriptions');
    expect(product('A')).toBeUndefined();
    expect(snapshot.productCount).toBe(1);
    expect(token()).toBeUndefined();
    expect(snapshot.activeSubscription(1, Date.now())).toBeUndefined();
  });

  it('drops everything after TRUNCATE', async () => {
    await change(
      withoutTriggers(
        `TRUNCATE products, stock_items, plan_prices, order_items, stock_movements, parcel_items,
                  order_refund_items, order_return_items, scheduled_prices`,
      ),
    );
    expect(snapshot.productCount).toBe(0);
  });

  it('follows a product to a new SKU, with its stock', async () => {
    await change(`UPDATE products SET sku = 'C' WHERE id = 1`);
    expect(product('A')).toBeUndefined();
    expect(available('C')).toBe(10);
    expect(snapshot.current().productIndex.removedSince(0)).toEqual(['A']);
  });

  it('follows two products that exchange their SKUs', async () => {
    await change(`BEGIN; UPDATE products SET sku = 'X' WHERE id = 1;
      UPDATE products SET sku = 'A' WHERE id = 2; UPDATE products SET sku = 'B' WHERE id = 1; COMMIT`);
    expect([product('A')?.id, product('B')?.id]).toEqual([2, 1]);
    expect(snapshot.current().productIndex.removedSince(0)).toEqual(['X']);
  });

  it('follows a stock item to another product', async () => {
    await change(`DELETE FROM stock_items WHERE id = 2; UPDATE stock_items SET product_id = 2 WHERE id = 1`);
    expect([available('A'), available('B')]).toEqual([undefined, 10]);
  });

  it('keeps rows that were deleted and inserted again with the same id', async () => {
    await change(`BEGIN; DELETE FROM products WHERE id = 1;
      INSERT INTO products (id, sku, name, description, category, base_price, delivery_charge)
        VALUES (1, 'A', 'New', '', 'T', 1, 1);
      INSERT INTO stock_items (id, product_id, on_hand) VALUES (1, 1, 3); COMMIT`);
    expect(product('A')?.name).toBe('New');
    expect(available('A')).toBe(3);
  });

  it('hides an inactive product, and shows it when it is active again', async () => {
    await change('UPDATE products SET active = false WHERE id = 1');
    expect(product('A')).toBeUndefined();
    await change('UPDATE products SET active = true WHERE id = 1');
    expect(available('A')).toBe(10);
  });

  it('follows prices: the discount, a fixed price and its removal', async () => {
    const price = () => plan().priceOf(product('A')!);
    await change('UPDATE plans SET discount = 12.5');
    expect(price()).toBe(8_750);
    await change('INSERT INTO plan_prices (plan_id, product_id, price) VALUES (1, 1, 70)');
    expect(price()).toBe(7_000);
    await change('UPDATE plan_prices SET price = 71');
    expect(price()).toBe(7_100);
    await change('DELETE FROM plan_prices');
    expect(price()).toBe(8_750);
  });

  it('refuses a revoked token, an expired token and the tokens of a suspended client', async () => {
    await change('UPDATE clients SET suspended_at = now()');
    expect(token()).toBeUndefined();
    await change('UPDATE clients SET suspended_at = NULL');
    expect(token()).toBeDefined();
    await change(`UPDATE tokens SET ends_at = now() + interval '1 hour'`);
    expect(token()).toBeDefined();
    await change(`UPDATE tokens SET ends_at = now() - interval '1 second'`);
    expect(token()).toBeUndefined();
    await change('UPDATE tokens SET ends_at = NULL, revoked_at = now()');
    expect(token()).toBeUndefined();
  });

  it('finds the active subscription, and otherwise the last or next one', async () => {
    await change(`UPDATE subscriptions SET starts_at = '2030-01-01Z', ends_at = '2031-01-01Z';
                  INSERT INTO subscriptions (id, client_id, plan_id, starts_at, ends_at)
                    VALUES (2, 1, 1, '2032-01-01Z', 'infinity')`);
    const active = (moment: string) => snapshot.activeSubscription(1, Date.parse(moment))?.id;
    const latest = (moment: string) => snapshot.latestSubscription(1, Date.parse(moment))?.id;
    expect([
      active('2029-12-31T23:59:59.999Z'),
      active('2030-01-01'),
      active('2030-12-31T23:59:59.999Z'),
    ]).toEqual([undefined, 1, 1]);
    expect([active('2031-01-01'), active('2032-01-01'), active('9999-01-01')]).toEqual([undefined, 2, 2]);
    expect([latest('2029-01-01'), latest('2031-06-01'), latest('2033-01-01')]).toEqual([1, 1, 2]);
    await change(`UPDATE subscriptions SET ends_at = '2030-06-01Z' WHERE id = 1`);
    expect([active('2030-07-01'), active('2032-01-01'), latest('2033-01-01')]).toEqual([undefined, 2, 2]);
  });

  it('sees a long transaction that commits after later transactions', async () => {
    const slow = await connect();
    await slow.query(`BEGIN; UPDATE stock_items SET on_hand = 1 WHERE id = 1`);
    await change('UPDATE stock_items SET on_hand = 2 WHERE id = 2');
    expect([available('A'), available('B')]).toEqual([10, 2]);
    const { visibleBelow, productIndex } = snapshot.current();
    expect(visibleBelow).toBeLessThanOrEqual(productIndex.contentVersion);
    await slow.query('COMMIT');
    await snapshot.refreshNow();
    expect([available('A'), available('B')]).toEqual([1, 2]);
  });

  it('reads each change once, however long another transaction is open, in any database of the server', async () => {
    let rowsRead = 0;
    class Counting extends SnapshotConnection {
      override changesSince(...[unread, take]: Parameters<SnapshotConnection['changesSince']>) {
        return super.changesSince(unread, (row) => {
          rowsRead++;
          take(row);
        });
      }
    }
    const source = new SnapshotSource(new Counting(database.serviceUrl));
    const state = await source.load();
    const readBy = async (statement?: string) => {
      rowsRead = 0;
      if (statement) await sql.query(statement);
      await source.refresh(state);
      return rowsRead;
    };
    const elsewhere = new Client(Object.assign(new URL(database.url), { pathname: '/postgres' }).href);
    await elsewhere.connect();
    opened.push(() => elsewhere.end());
    const here = await connect();
    const idOf = async (client: Client) => {
      const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id() AS id');
      return Number(rows[0]!.id);
    };
    for (const client of [elsewhere, here]) await client.query('BEGIN');
    const [idElsewhere, idHere] = [await idOf(elsewhere), await idOf(here)];
    await here.query('UPDATE stock_items SET on_hand = 7 WHERE id = 2');
    expect(await readBy(`UPDATE products SET name = 'New'; DELETE FROM stock_items WHERE id = 1`)).toBe(3);
    expect(state.unread.open).toEqual(expect.arrayContaining([idElsewhere, idHere]));
    expect([await readBy(), await readBy()]).toEqual([0, 0]);
    expect(state.watermark).toBeLessThan(state.highestVersion);
    await here.query('COMMIT');
    expect(await readBy()).toBe(1);
    expect(await readBy(`INSERT INTO stock_items (id, product_id, on_hand) VALUES (1, 1, 10)`)).toBe(1);
    expect(state.unread.open).toContain(idElsewhere);
    await elsewhere.query('COMMIT');
    expect(await readBy()).toBe(0);
    expect(state.unread.open).not.toContain(idElsewhere);
    source.close();
  });

  it('sees a long transaction delete a row that a later one has changed', async () => {
    const slow = await connect();
    await slow.query(`BEGIN; INSERT INTO plans (id, code, name, discount) VALUES (2, 'slow', 'Slow', 0)`);
    await change(`UPDATE products SET name = 'Later' WHERE id = 1`);
    await slow.query('DELETE FROM products WHERE id = 1; COMMIT');
    await snapshot.refreshNow();
    expect(product('A')).toBeUndefined();
    await snapshot.refreshNow();
  });

  it('starts a new history for a restored dump, once for all nodes', async () => {
    const { identity } = snapshot.current();
    const other = await startSnapshot(database.serviceUrl);
    const log = watchLog();
    await sql.query('UPDATE history SET table_oid = 1');
    await Promise.all([snapshot.refreshNow(), other.refreshNow()]);
    await snapshot.refreshNow();
    await other.refreshNow();
    expect(snapshot.current().identity).not.toBe(identity);
    expect(other.current().identity).toBe(snapshot.current().identity);
    expect(available('A')).toBe(10);
    expect(log.filter((line) => line.includes('"invoice continue-after"'))).toHaveLength(1);
  });

  it('starts a new history, once for all nodes, when the database has lost a change that a store knows', async () => {
    const { identity } = snapshot.current();
    const other = await startSnapshot(database.serviceUrl);
    const log = watchLog();
    for (const node of [snapshot, other]) node.noteVersion({ identity, highestVersion: 4e12 });
    await Promise.all([snapshot.refreshNow(), other.refreshNow()]);
    await Promise.all([snapshot.refreshNow(), other.refreshNow()]);
    expect(snapshot.current().identity).not.toBe(identity);
    expect(other.current().identity).toBe(snapshot.current().identity);
    expect(log.filter((line) => line.includes('"invoice continue-after"'))).toHaveLength(1);
    expect(available('A')).toBe(10);
  });

  it('keeps the history when a store knows a change that this node has not read yet', async () => {
    const { identity } = snapshot.current();
    await sql.query('UPDATE stock_items SET on_hand = 11 WHERE id = 1');
    const { rows } = await sql.query<{ stamp: string }>('SELECT max(changed) AS stamp FROM stock_items');
    snapshot.noteVersion({ identity, highestVersion: Number(rows[0]!.stamp) });
    await snapshot.refreshNow();
    expect(snapshot.current().identity).toBe(identity);
    expect(available('A')).toBe(11);
  });

  it('starts a new history when the database is in a history again that this node has left', async () => {
    const { rows } = await sql.query<{ epoch: string }>('SELECT epoch FROM history');
    const identities = [snapshot.current().identity];
    await change('UPDATE history SET epoch = gen_random_uuid()');
    identities.push(snapshot.current().identity);
    await change(`UPDATE history SET epoch = '${rows[0]!.epoch}'`);
    identities.push(snapshot.current().identity);
    expect(new Set(identities).size).toBe(3);
  });

  it('starts a new history when an older copy within the server takes the name of the database', async () => {
    const original = await createTestDatabase();
    const name = new URL(original.url).pathname.slice(1);
    const run = async (url: string, ...statements: string[]) => {
      const client = new Client(url);
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    };
    const insertPlan = (id: number) =>
      run(original.url, `INSERT INTO plans (id, code, name, discount) VALUES (${id}, 'p${id}', 'Plan', 1)`);
    const onServer = (...statements: string[]) =>
      run(Object.assign(new URL(original.url), { pathname: '/postgres' }).href, ...statements);
    const endConnections = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`;

    await insertPlan(1);
    const node = await startSnapshot(original.serviceUrl);
    const { identity } = node.current();
    await onServer(endConnections, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
    await insertPlan(2);
    await eventually(() => node.refreshNow().then(() => true));
    expect(node.current().identity).toBe(identity);
    const log = watchLog();
    await onServer(
      endConnections,
      `ALTER DATABASE ${name} RENAME TO ${name}_old`,
      `ALTER DATABASE ${name}_copy RENAME TO ${name}`,
    );
    await eventually(() => node.refreshNow().then(() => true));
    await expectSameAsFresh(node, original.serviceUrl);
    expect(node.current().identity).not.toBe(identity);
    expect(log.filter((line) => line.includes('"invoice continue-after"'))).toHaveLength(1);
    await node.onApplicationShutdown();
    await original.drop();
    await onServer(`DROP DATABASE ${name}_old`);
  });

  it('starts a new history when rows have stamps from the future', async () => {
    const { identity } = snapshot.current();
    await sql.query('UPDATE products SET active = false WHERE id = 2');
    await change(`BEGIN; ALTER TABLE products DISABLE TRIGGER ALL; ALTER TABLE plans DISABLE TRIGGER ALL;
                  UPDATE products SET changed = 4e12, name = 'Copied' WHERE id = 1;
                  UPDATE products SET changed = 4e12, withdrawn = 4e12 WHERE id = 2;
                  UPDATE plans SET changed = 4e12, repriced = 4e12;
                  ALTER TABLE products ENABLE TRIGGER ALL; ALTER TABLE plans ENABLE TRIGGER ALL; COMMIT`);
    expect(snapshot.current().identity).not.toBe(identity);
    expect(product('A')?.name).toBe('Copied');
    const { rows } = await sql.query<{ highest: string }>(
      `SELECT max(greatest(changed, withdrawn, repriced)) AS highest
         FROM (SELECT changed, withdrawn, NULL AS repriced FROM products
               UNION ALL SELECT changed, NULL, repriced FROM plans)`,
    );
    const highest = Number(rows[0]!.highest);
    expect(highest).toBeLessThan(4e12);
    expect(snapshot.watermark).toBe(highest + 1);
    expect([product('A')!.changeVersion, plan().repriced]).toEqual([highest, highest]);
  });

  it('recovers after its connection was lost, and answers reads meanwhile', async () => {
    await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database()
                        AND application_name = 'wholesale-order-api snapshot'`);
    await sql.query('UPDATE stock_items SET on_hand = 3 WHERE id = 1');
    expect(available('A')).toBeDefined();
    await eventually(async () => {
      await snapshot.refreshNow();
      return available('A') === 3;
    });
  });

  it('leaves no connection behind where it cannot read, such as on a standby', async () => {
    const connections = async () =>
      (
        await sql.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'wholesale-order-api snapshot'`,
        )
      ).rowCount;
    await sql.query('ALTER FUNCTION this_server() RENAME TO no_server');
    await sql.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                      WHERE datname = current_database()
                        AND application_name = 'wholesale-order-api snapshot'`);
    for (let n = 0; n < 5; n++) await snapshot.refreshNow().catch(() => undefined);
    await eventually(async () => (await connections()) === 0);
    await sql.query('ALTER FUNCTION no_server() RENAME TO this_server');
    await snapshot.refreshNow();
  });

  it('refuses reads when it is too old', async () => {
    const impatient = await startSnapshot(database.serviceUrl, { snapshotMaxAgeSeconds: 0.5 });
    await eventually(() => {
      try {
        impatient.current();
        return false;
      } catch (error) {
        return (error as { code: string }).code === 'unavailable';
      }
    });
    await impatient.refreshNow();
    expect(impatient.current().productIndex.count).toBe(2);
  });

  it('does not fail a write when the refresh after it fails', async () => {
    await sql.query(`ALTER TABLE history RENAME TO elsewhere`);
    await expect(snapshot.refreshAfterWrite()).resolves.toBeUndefined();
    await sql.query(`ALTER TABLE elsewhere RENAME TO history`);
  });

  it('shows each of many concurrent writers its own write', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = await connect();
        await client.query(`
          INSERT INTO products (id, sku, name, description, category, base_price, delivery_charge)
          VALUES (${100 + index}, 'W${index}', 'Written', '', 'Tests', 1, 1)`);
        await snapshot.refreshAfterWrite();
        expect(product(`W${index}`)).toBeDefined();
      }),
    );
  });

  it('queries changes only through the indexes on the stamps', async () => {
    const { CHANGE_QUERY } = await import('../../src/read-model/snapshot/change-query.js');
    await sql.query(`SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off`);
    await sql.query(`PREPARE changes AS ${CHANGE_QUERY.text}`);
    const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
      "EXPLAIN EXECUTE changes (5, 'server', '{3}')",
    );
    const planned = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const relation of [
      'plans',
      'clients',
      'tokens',
      'subscriptions',
      'products',
      'stock_items',
      'plan_prices',
      'tombstones',
    ]) {
      expect(planned).toMatch(new RegExp(`(Index Scan using|Bitmap Index Scan on) ${relation}_changed`));
    }
  });
});
