import 'reflect-metadata';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createCliApp } from '../../../src/cli/open-app.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { readSettings } from '../../../src/platform/settings/read-settings.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Returns the numbers of all advisory locks in the sources. */
async function lockNumbers(): Promise<number[]> {
  const files = (await readdir('src', { recursive: true })).filter((file) => /(?<!\.spec)\.tsx?$/.test(file));
  const sources = await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/^(?:export )?const \w+_LOCKS? = ([^;]+);/gm)].flatMap(([, value]) =>
      value!.match(/\b\d[\d_]*\b/g)!.map((digits) => Number(digits.replaceAll('_', ''))),
    ),
  );
}

describe('The schema', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await createCliApp(readSettings({}), database.url);
    dataSource = app.get(DataSource);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const emptyDatabase = () => dataSource.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  it('equals the entities: a generated migration would be empty', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('is created once when several nodes migrate at the same moment', async () => {
    await emptyDatabase();
    const runs = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    const all = dataSource.migrations.length;
    expect(runs.map((names) => names.length).toSorted()).toEqual([0, 0, all]);
  });

  it('refuses invalid values from any writer', async () => {
    const refused = (sql: string) => expect(dataSource.query(sql)).rejects.toThrow(/violates/);
    await dataSource.query(`
      INSERT INTO plans (code, name, discount) VALUES ('p', 'P', 0);
      INSERT INTO clients (name, email) VALUES ('C', 'c@example.com');
      INSERT INTO products (sku, name, description, category, base_price, delivery_charge)
      VALUES ('S', 'S', '', '', 1, 0);
      INSERT INTO stock_items (product_id) VALUES (1);
      INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
      VALUES (1, 1, '2026-01-01', '2027-01-01');`);
    await refused('UPDATE stock_items SET on_hand = -1');
    await refused('UPDATE stock_items SET held = -1');
    await refused('UPDATE plans SET discount = 100.01');
    await refused('UPDATE products SET base_price = 1000000.01');
    await refused(
      `INSERT INTO products (sku, name, description, category, base_price, delivery_charge)
       VALUES ('S', '', '', '', 1, 0)`,
    );
    await refused(
      `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
       VALUES (1, 1, '2026-12-31', '2028-01-01')`,
    );
  });

  it('has a different number for each advisory lock', async () => {
    const [{ add }] = await dataSource.query<[{ add: number }]>(`SELECT hashtext('client add') AS add`);
    const numbers = [...(await lockNumbers()), add];
    expect(numbers.length).toBeGreaterThan(8);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  });
});
