import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Client } from 'pg';
import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { readCommands } from '../../../src/cli/api/api-command.js';
import { createCli } from '../../../src/cli/create-cli.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { RequestLogRetention } from '../../../src/modules/request-log/recording/request-log-retention.js';
import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { SnapshotConnection } from '../../../src/read-model/snapshot/snapshot-connection.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import { Buyer } from '../../support/buyer.js';
import { makeRequests } from '../../support/every-request.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { orderDesk } from '../../support/order-desk.js';
import { answerOf, runCommandIn } from '../../support/run-command.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const SQL = new URL('../../../src/platform/database/service-role.sql', import.meta.url);

/** Returns one line per object and holder of rights, without owners, system objects and extensions. */
const RIGHTS = `
  WITH objects (name, oid, owner, acl) AS (
    SELECT 'database', oid, datdba, coalesce(datacl, acldefault('d', datdba))
      FROM pg_database WHERE datname = current_database()
    UNION ALL
    SELECT 'schema ' || nspname, oid, nspowner, coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace
    UNION ALL
    SELECT oid::regclass::text, oid, relowner,
           coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
      FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    UNION ALL
    SELECT oid::regprocedure::text, oid, proowner, coalesce(proacl, acldefault('f', proowner)) FROM pg_proc
    UNION ALL
    SELECT 'default for ' || defaclobjtype::text, oid, defaclrole, defaclacl FROM pg_default_acl
  ), rights (name, owner, holder, privilege, columns, grantable) AS (
    SELECT name, owner, grantee, privilege_type, '', is_grantable
      FROM objects, aclexplode(acl)
     WHERE oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = objects.oid AND deptype = 'e')
        OR name IN ('database', 'schema public')
    UNION ALL
    SELECT attrelid::regclass::text, relowner, grantee, privilege_type,
           ' (' || string_agg(attname, ', ' ORDER BY attname COLLATE "C") || ')', is_grantable
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid, aclexplode(attacl)
     WHERE attrelid >= 16384
     GROUP BY attrelid, relowner, grantee, privilege_type, is_grantable
  )
  SELECT name || ': ' || CASE holder WHEN 0 THEN 'PUBLIC' ELSE holder::regrole::text END || ' ' ||
         string_agg(privilege || columns || CASE WHEN grantable THEN ' WITH GRANT OPTION' ELSE '' END, ', '
                    ORDER BY privilege) AS line
    FROM rights WHERE holder <> owner
   GROUP BY name, holder`;

/** Local commands for the owner of the database only, and those that need no database. */
const OTHERS = ['audit forget', 'completion', 'invoice continue-after', 'login', 'logout'];

/** Every other local command, with work to do. The rest are requests of the service. */
const COMMANDS: Record<string, string> = {
  migrate: '',
  'key add': '--name ERP --role staff',
  'key list': '',
  'key revoke': '1',
  'desk invite': '--email admin@wholesale.example.com --role admin',
  'wallet remove-test-money': '--yes',
  'wallet check': '',
  'demo load': '--products 20 --yes',
  'demo unload': '',
};

function namesOf(command: Command, group = ''): string[] {
  return command.commands.flatMap((each) =>
    each.commands.length > 0 ? namesOf(each, `${each.name()} `) : [`${group}${each.name()}`],
  );
}

/** A database whose owner is no superuser, and the role of the service, as in docs/operations.md. */
describe('The service with the least rights', () => {
  const owner = `owner_${randomUUID().replaceAll('-', '')}`;
  const role = `service_${randomUUID().replaceAll('-', '')}`;
  let database: TestDatabase;
  let asOwner: string;
  let asRole: string;
  let test: TestApp;
  let store: Store;
  let sku: string;
  let productId: number;

  const byAdministrator = async (...statements: string[]) => {
    const client = new Client(database.url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const as = (name: string) =>
      Object.assign(new URL(database.url), { username: name, password: name }).href;
    [asOwner, asRole] = [as(owner), as(role)];
    await byAdministrator(
      `CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'`,
      `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`,
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${owner}`,
    );
    await migrate(asOwner);
    const grants = (await readFile(SQL, 'utf8')).replaceAll('wholesale_service', role);
    const client = new Client(asOwner);
    await client.connect();
    // Grants of an earlier version are revoked.
    await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await client.query(grants);
    // Repeated, as after every migration.
    await client.query(grants);
    await client.end();
    test = await startTestApp({ paymentWindowHours: 1 }, { ...database, serviceUrl: asRole });
    store = await test.fixtures.store();
    ({ sku, id: productId } = await test.fixtures.product({ stock: 100 }));
  });

  afterAll(async () => {
    await test.close();
    await database.drop();
    database = await createEmptyDatabase();
    await byAdministrator(`DROP ROLE ${role}`, `DROP ROLE ${owner}`);
    await database.drop();
  });

  const place = () => test.place(store, [{ sku, quantity: 1 }]);

  it('starts, because it can see that no migration is missing', async () => {
    expect(await migrate(asRole)).toEqual([]);
  });

  it('says in one line which command to run, if the migration was forgotten', async () => {
    const message =
      'The schema of the database is not up to date. Run the command "migrate" as the owner of the tables.';
    const outdated = { code: 'schema_outdated', message };
    const client = new Client(asOwner);
    await client.connect();
    const forgotten = async () => {
      // As each start of the service does.
      await expect(migrate(asRole)).rejects.toMatchObject(outdated);
      for (const command of [['migrate'], ['key', 'list']]) {
        const refused = { exitCode: 1, stdout: '', stderr: `${message}\n` };
        expect(await runCommandIn({ DATABASE_URL: asRole }, ...command)).toEqual(refused);
      }
    };
    const { rows } = await client.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    await forgotten();
    const { name, timestamp } = rows[0]!;
    await client.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [name, timestamp]);
    // The same if the migration ran, but the rights were forgotten.
    await client.query(`REVOKE SELECT ON migrations FROM ${role}`);
    await forgotten();
    await client.query(`GRANT SELECT ON migrations TO ${role}`);
    await client.end();
  });

  it('runs its regular jobs', async () => {
    await test.pool.query(
      `WITH due AS (
         INSERT INTO price_schedules (from_at, to_at, actor)
         VALUES (now() - interval '1 hour', now() + interval '1 hour', 'test') RETURNING id)
       INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, value)
       SELECT due.id, row_number() OVER (), plan_id, product_id, 2
         FROM due, (VALUES ($1::int, $2::int), ($1, NULL), (NULL, $2)) AS priced (plan_id, product_id)`,
      [store.planId, productId],
    );
    const prices = test.app.get(ScheduledPricesJob, { strict: false });
    await prices.runSoon();
    await test.pool.query(`UPDATE price_schedules SET to_at = now()`);
    await prices.runSoon();
    const { rows: states } = await test.pool.query('SELECT DISTINCT state FROM scheduled_prices');
    expect(states).toEqual([{ state: 'returned' }]);
    const expired = await place();
    await test.fixtures.age(1, expired);
    expect(await test.app.get(OrderExpiryService).run()).toBe(1);
    await test.post(store, '/api/orders', orderBody([{ sku: 'NONE', quantity: 1 }])).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    await test.fixtures.ageRequests(31);
    await test.app.get(RequestLogRetention, { strict: false }).run();
    await test.app.get(TokenUsesService).run();

    const { body } = await test.get(store, `/api/orders/${expired}/status`).expect(200);
    expect(body).toMatchObject({ status: 'cancelled' });
    const { rows } = await test.pool.query(
      `SELECT (SELECT count(*)::int FROM token_uses) AS uses,
              (SELECT count(*)::int FROM store_requests) AS requests`,
    );
    expect(rows).toEqual([{ uses: 1, requests: 0 }]);
  });

  it('serves stores, people and programs', async () => {
    const { requests } = await makeRequests(test, await test.fixtures.store({ state: '29' }));
    const failed: string[] = [];
    for (const [name, send] of Object.entries(requests)) if ((await send()) >= 500) failed.push(name);
    expect(failed).toEqual([]);
    const erp = await adminApi(test);
    await erp.put('plans/unused', {}).expect(200);
    await erp.delete('plans/unused').expect(200);
    const mug = await test.fixtures.product({ hsn: '6912', gstRate: '18' });
    const later = { base_price: 1, from: '2099-01-01', force: true };
    const { change } = await dataOf(erp.put(`products/${mug.sku}`, later));
    await erp.delete(`price-changes/${change}`).expect(200);
  });

  describe('and its local commands', () => {
    beforeAll(async () => {
      const browser = new SandboxBrowser(test);
      const payment = await (await Buyer.of(test, store.clientId)).topUp('500');
      await browser.comeBack(await browser.press(payment, 'pay'));
      await orderDesk(test.app).payFromWallet([await place()], 'test');
    });

    it('are all tested here', () => {
      const requests = new Set(readCommands().map(({ command }) => command));
      expect([...Object.keys(COMMANDS), ...OTHERS].toSorted()).toEqual(
        namesOf(createCli([]).program)
          .filter((name) => !requests.has(name))
          .toSorted(),
      );
    });

    it.each(Object.entries(COMMANDS))('have the rights they need: %s', async (name, options) => {
      const env = { DATABASE_URL: asRole, PUBLIC_URL: test.url };
      const notice = await runCommandIn(env, ...`${name} ${options}`.trim().split(' '));
      expect(notice).toMatchObject({ exitCode: 0, stderr: '' });
    });
  });

  it('sees deleted rows, and can begin a new history after a restore', async () => {
    const other = await test.fixtures.store();
    const gone = await test.fixtures.product();
    await test.get(other, `/api/products/${gone.sku}`).expect(200);
    await test.fixtures.removeProducts(gone.sku);
    await test.get(other, `/api/products/${gone.sku}`).expect(404);
    const epoch = async () =>
      (await test.pool.query<{ epoch: string }>('SELECT epoch FROM history')).rows[0]!;
    const before = await epoch();
    const connection = new SnapshotConnection(asRole);
    await byAdministrator('UPDATE history SET table_oid = 0');
    await connection.beginGenerationIfForeign(true);
    expect(await epoch()).not.toEqual(before);
    const { rows } = await test.pool.query('SELECT is_foreign FROM history_identity()');
    expect(rows).toEqual([{ is_foreign: false }]);
    connection.close();
    await test.fixtures.observed();
    await test.get(other, `/api/products/${sku}`).expect(200);
  });

  /** Runs the statements in one session of the service role. */
  async function asService<Row extends object>(...statements: string[]): Promise<Row[]> {
    const client = new Client(asRole);
    await client.connect();
    try {
      for (const statement of statements.slice(0, -1)) await client.query(statement);
      return (await client.query<Row>(statements.at(-1)!)).rows;
    } finally {
      await client.end();
    }
  }

  it('has its changes logged in its name in spite of temporary tables with the same names', async () => {
    const { id, code } = await test.fixtures.plan();
    const logged = await asService(
      'SET search_path = pg_temp, public',
      ...['changes', 'plans', 'products'].map((table) => `CREATE TEMP TABLE ${table} (LIKE public.${table})`),
      `UPDATE public.plans SET discount = 99 WHERE id = ${id}`,
      `SELECT actor, after FROM public.changes WHERE name = '${code}' ORDER BY id DESC LIMIT 1`,
    );
    expect(logged).toEqual([{ actor: `sql:${role}`, after: { name: 'Test plan', discount: 99 } }]);
  });

  it('cannot add money to a wallet with a temporary table of entries', async () => {
    const { clientId } = await test.fixtures.store();
    const writes = asService(
      `CREATE TEMP TABLE wallet_entries AS
       SELECT ${clientId} AS client_id, 1 AS entry, 1000 AS balance_after`,
      `UPDATE wallets SET balance = 1000, entries = 1 WHERE client_id = ${clientId}`,
    );
    await expect(writes).rejects.toMatchObject({ code: '23514' });
  });

  describe('has exactly the rights in test/platform/database/rights.txt', () => {
    /** The change is rolled back. */
    async function rightsAfter(change: string): Promise<string[]> {
      const client = new Client(asOwner);
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query(change);
        const { rows } = await client.query<{ line: string }>(RIGHTS);
        return rows.map(({ line }) => line.replaceAll(role, 'wholesale_service')).toSorted();
      } finally {
        await client.end();
      }
    }

    let expected: string[];

    beforeAll(async () => {
      const text = await readFile(new URL('rights.txt', import.meta.url), 'utf8');
      const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\n +/g, ' ');
      expected = lines.trim().split('\n').toSorted();
    });

    it('and no others', async () => expect(await rightsAfter('SELECT')).toEqual(expected));

    /** The role of service-role.sql, under its own name. Other databases of the server may know it too. */
    it('also when the owner of the tables runs `migrate`, and only then', async () => {
      const make = `CREATE ROLE wholesale_service LOGIN PASSWORD 'service'`;
      await byAdministrator(`DO $$ BEGIN ${make}; EXCEPTION WHEN duplicate_object THEN END $$`);
      const itself = Object.assign(new URL(asOwner), { username: 'wholesale_service', password: 'service' });
      const heldByIt = async () => {
        const { rows } = await test.pool.query<{ line: string }>(RIGHTS);
        return rows.map(({ line }) => line).filter((line) => line.includes(': wholesale_service '));
      };
      expect(await heldByIt()).toEqual([]);
      expect(await answerOf(itself.href, 'migrate').catch(String)).toMatch(/schema_outdated|not up to date/);
      expect(await answerOf(asRole, 'migrate')).toEqual({ applied: [] });
      expect(await heldByIt()).toEqual([]);
      expect(await answerOf(asOwner, 'migrate')).toEqual({ applied: [], granted: 'wholesale_service' });
      const ofService = expected.filter((line) => line.includes(': wholesale_service '));
      expect((await heldByIt()).toSorted()).toEqual(ofService);
      expect(await answerOf(itself.href, 'migrate')).toEqual({ applied: [] });
      expect((await answerOf<object[]>(itself.href, 'key', 'list')).length).toBeGreaterThan(0);
      const notice = await runCommandIn({ DATABASE_URL: asOwner }, 'migrate');
      expect(notice.stdout).toBe('The schema is up to date.\nThe role wholesale_service has its rights.\n');
      await byAdministrator('DROP OWNED BY wholesale_service');
    });

    it.each([
      'GRANT UPDATE ON unpaid_totals TO wholesale_service',
      'GRANT UPDATE (subtotal) ON orders TO wholesale_service',
      'GRANT SELECT ON orders TO wholesale_service WITH GRANT OPTION',
      'GRANT UPDATE ON SEQUENCE products_id_seq TO wholesale_service',
      'GRANT CREATE ON SCHEMA public TO wholesale_service',
      'GRANT EXECUTE ON FUNCTION lock_unpaid_totals(integer[]) TO PUBLIC',
      'ALTER DEFAULT PRIVILEGES GRANT INSERT ON TABLES TO wholesale_service',
      'CREATE TABLE mine (id int); GRANT ALL ON mine TO wholesale_service',
      'REVOKE UPDATE ON auto_pay FROM wholesale_service',
    ])('so that a change is noticed: %s', async (change) => {
      expect(await rightsAfter(change.replaceAll('wholesale_service', role))).not.toEqual(expected);
    });

    it('and owns nothing, is a member of no role and has only the attribute LOGIN', async () => {
      const { rows } = await test.pool.query(
        `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS powerful,
                (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
                (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o') AS owned
           FROM pg_roles r WHERE rolname = $1`,
        [role],
      );
      expect(rows).toEqual([{ powerful: false, memberships: 0, owned: 0 }]);
    });
  });

  // The list of rights does not show owners, and rights of PUBLIC in a temporary schema.
  it.each([
    ['alter a table', 'ALTER TABLE orders ADD COLUMN mine int'],
    ['drop a table', 'DROP TABLE store_requests'],
    ['switch a trigger off', 'ALTER TABLE products DISABLE TRIGGER stamp'],
    ['replace a function', 'CREATE OR REPLACE FUNCTION begin_history() RETURNS void LANGUAGE sql AS $$ $$'],
    ['get past the triggers', 'SET session_replication_role = replica'],
    ['skip numbers of documents', 'UPDATE document_series SET last = last + 1'],
    [
      'count documents by a trigger of its own',
      `CREATE TEMP TABLE mine (kind text, number text, issued_at timestamptz);
       CREATE TRIGGER t AFTER INSERT ON mine REFERENCING NEW TABLE AS added
         FOR EACH STATEMENT EXECUTE FUNCTION count_documents()`,
    ],
    ['rewrite the timeline', `UPDATE order_timeline SET status = 'delivered'`],
    [
      'write to the log of changes by a trigger of its own',
      `CREATE TEMP TABLE mine (code text);
       CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION log_change()`,
    ],
    [
      'write a tombstone by a trigger of its own',
      `CREATE TEMP TABLE mine (id int);
       CREATE TRIGGER t AFTER DELETE ON mine FOR EACH ROW EXECUTE FUNCTION bury()`,
    ],
  ])('may not %s', async (_, statement) => {
    await expect(asService(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
