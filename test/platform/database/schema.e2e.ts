import 'reflect-metadata';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { openServices } from '../../../src/cli/local/open-services.js';
import { checkSchema, migrate, prepareSchema } from '../../../src/platform/database/migrate.js';
import { readSettings } from '../../../src/platform/settings/settings.js';
import { runCommandIn } from '../../support/run-command.js';
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
    app = await openServices(readSettings({}), database.url);
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

  describe('of another build', () => {
    const newer = (name: string) =>
      dataSource.query(`INSERT INTO migrations (timestamp, name) VALUES (1, '${name}')`);
    const contents = () =>
      dataSource.query(
        `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
          ORDER BY 1, 2`,
      );

    /** The command, the start and other commands say the same in one line, and nothing is half changed. */
    async function expectRefusal(message: RegExp): Promise<void> {
      const before = await contents();
      const refused = { code: 'schema_unknown', message: expect.stringMatching(message) };
      await expect(migrate(database.url)).rejects.toMatchObject(refused);
      await expect(prepareSchema(database.url, false)).rejects.toMatchObject(refused);
      await expect(checkSchema(database.url, false)).rejects.toMatchObject(refused);
      expect(await contents()).toEqual(before);
    }

    beforeEach(emptyDatabase);

    it('is refused if a newer version has migrated it, unless the settings allow it', async () => {
      await migrate(database.url);
      await newer('NewerOne1800000000001');
      await newer('NewerTwo1800000000002');
      await expectRefusal(
        /^The schema .* newer than this version \([\d.]+\): it has NewerOne1800000000001, NewerTwo1/,
      );
      await checkSchema(database.url, true);
      expect(await prepareSchema(database.url, true)).toEqual([
        'NewerOne1800000000001',
        'NewerTwo1800000000002',
      ]);
      const { exitCode, stdout, stderr } = await runCommandIn(
        { DATABASE_URL: database.url, ALLOW_NEWER_SCHEMA: 'on' },
        'migrate',
      );
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/^The schema of the database is newer than this version.*\n$/);
    });

    it('is migrated if it is older, also where a newer one would be allowed', async () => {
      expect(await prepareSchema(database.url, true)).toEqual([]);
      await checkSchema(database.url, false);
    });

    it('is refused if it lacks migrations of this build as well', async () => {
      await migrate(database.url);
      await newer('Newer1800000000001');
      await dataSource.query('DELETE FROM migrations WHERE id = 4');
      await expect(prepareSchema(database.url, true)).rejects.toMatchObject({ code: 'schema_unknown' });
      await expect(checkSchema(database.url, true)).rejects.toMatchObject({ code: 'schema_outdated' });
    });

    it('is refused if the build was not released', async () => {
      await migrate(database.url);
      await dataSource.query(`UPDATE migrations SET name = regexp_replace(name, '\\d+$', '17000000000')
                                || lpad(id::text, 2, '0')`);
      await expectRefusal(/^This database was made by an unreleased build; .* "catalog export" and /);
      await expect(prepareSchema(database.url, true)).rejects.toMatchObject({ code: 'schema_unknown' });
    });

    it.each([
      ['has a table of ours', 'CREATE TABLE tokens (id int)', 'tokens'],
      ['has other tables', 'CREATE TABLE a (id int); CREATE VIEW b AS SELECT * FROM a', 'a, b'],
      ['has another list of migrations', 'CREATE TABLE migrations (migration text, batch int)', 'migrations'],
      [
        'has a list of migrations like ours',
        `CREATE TABLE migrations (id serial, timestamp bigint, name text); CREATE TABLE shops (id int);
         INSERT INTO migrations (timestamp, name) VALUES (1, 'Shops1600000000001')`,
        'shops',
      ],
    ])('is refused if the database is that of another program: it %s', async (_, sql, named) => {
      await dataSource.query(sql);
      await expectRefusal(
        new RegExp(
          `^This database has tables of another program \\(${named}\\)\\. .* Nothing was changed\\.$`,
        ),
      );
    });

    it('is created beside extensions', async () => {
      await dataSource.query('CREATE EXTENSION pg_stat_statements');
      expect((await migrate(database.url)).length).toBe(dataSource.migrations.length);
    });
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
