import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { Client } from 'pg';
import { TokenUsesService } from '../../../src/modules/auth/tokens/token-uses.service.js';
import { createCli } from '../../../src/cli/create-cli.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { RequestLogRetention } from '../../../src/modules/request-log/recording/request-log-retention.js';
import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { SnapshotConnection } from '../../../src/read-model/snapshot/snapshot-connection.js';
import { answerTo } from '../../support/e-invoice-answer.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { MailServer } from '../../support/mail-server.js';
import { orderBody } from '../../support/order-body.js';
import { answerOf, runCommandIn } from '../../support/run-command.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const SQL = new URL('../../../src/platform/database/service-role.sql', import.meta.url);

/** The orders, payments and files that the commands use. */
interface Facts {
  clientId: number;
  /** The product of the orders. */
  sku: string;
  tokenId: number;
  /** Unpaid orders; each goes through another command. */
  sold: string;
  prepaid: string;
  unwanted: string;
  /** Paid, with a concern for an operator. */
  paymentId: string;
  openPaymentId: string;
  file(content: string): Promise<string>;
  /** The number of the newest return that is open. */
  openReturn(state?: string): Promise<string>;
  /** The number of the newest invoice. */
  invoice(): Promise<string>;
  /** Gives the client another name, and returns a reason. */
  renamed(): Promise<string>;
}

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

const CATALOG = 'sku,name,description,category,images,base_price,delivery_charge,active,variations';

type Runs = (facts: Facts) => (string | Promise<string>)[][];

/** Commands for the owner of the database only. */
const OF_THE_OWNER = ['audit forget', 'invoice continue-after'];

const WITHOUT_DATABASE = ['login', 'logout'];

/** Every command with arguments that cover all its statements, in an order in which each has work to do. */
const COMMANDS: Record<string, Runs> = {
  migrate: () => [[]],
  'plan set': () => [
    ['p1', '--discount', '5'],
    ['p1', '--name', 'P'],
    ['unused'],
    ['p1', '--discount', '6', '--from', '2099-01-01'],
  ],
  'plan list': () => [[]],
  'plan delete': () => [['unused']],
  'client add': () => [
    '--name=S --email=s@example.com --domain=s.example.com --plan=p1 --until=2030-01-01'.split(' '),
  ],
  'client list': () => [[]],
  'client show': ({ clientId }) => [[String(clientId)]],
  'seller set': () => [
    ['--name', 'Sharma', '--gstin', '27AAPFU0939F1ZV', '--address', 'Pune'],
    ['--receipt-vouchers', 'yes'],
    ['--gstin', '33AAACH7412G1Z0', '--from', '2099-01-01'],
    ['--from', '2099-02-01'],
    ['--gstin', '27AAPFU0939F1ZV', '--from', '2099-02-01'],
  ],
  'seller show': () => [[]],
  'client set': ({ clientId }) => [
    [String(clientId), '--name', 'Another', '--unpaid-orders-limit', '9'],
    [String(clientId), '--gstin', '29AAGCB7383J1Z4', '--billing-address', 'Pune', '--time-zone', 'UTC'],
  ],
  'client allow-domain': ({ clientId }) => [[String(clientId), 'other.example.com']],
  'client disallow-domain': ({ clientId }) => [[String(clientId), 'other.example.com']],
  'client suspend': ({ clientId }) => [[String(clientId)]],
  'client resume': ({ clientId }) => [[String(clientId)]],
  'token issue': ({ clientId }) => [[String(clientId), '--domain', 't.example.com']],
  'token revoke': ({ tokenId }) => [[String(tokenId)]],
  'token list': ({ clientId }) => [[String(clientId)]],
  'key add': () => [['--name', 'ERP', '--role', 'staff']],
  'key list': () => [[]],
  'key revoke': () => [['1']],
  'desk invite': () => [['--email', 'admin@wholesale.example.com', '--role', 'admin']],
  'desk list': () => [[]],
  'person invite': ({ clientId }) => [
    [String(clientId), '--email', 'p@example.com', '--role', 'owner'],
    [String(clientId), '--email', 'q@example.com', '--role', 'viewer'],
  ],
  'person list': ({ clientId }) => [[], [String(clientId)]],
  'person set': () => [['q@example.com', '--role', 'buyer', '--name', 'Q']],
  'person link': () => [['q@example.com'], ['q@example.com']],
  'person disable': () => [['q@example.com']],
  'person enable': () => [['q@example.com']],
  'person reset-second-factor': () => [['q@example.com']],
  'subscription set': ({ clientId }) => [
    [String(clientId), '--plan', 'p1', '--from', '2029-01-01', '--until', '2030-01-01'],
    [String(clientId), '--plan', 'p1', '--until', '2030-01-01'],
  ],
  'catalog import': ({ file }) => [
    [file(`${CATALOG}\nNEW,New,,,,1,0,true,Size=S|M\n`)],
    [file(`${CATALOG}\nNEW,Newer,,,,1.2,1,true,Size=M|L\n`)],
  ],
  'catalog export': () => [[]],
  'stock import': ({ file }) => [[file('sku,variation,quantity\nNEW,Size:M,5\n')]],
  'product set': ({ sku }) => [
    // Its parcels get invoices.
    [
      sku,
      '--hsn',
      '610910',
      '--gst-rate',
      '5',
      '--unit',
      'NOS',
      '--barcode',
      '4006381333931',
      '--weight-grams',
      '180',
      '--mrp',
      '499',
      '--country-of-origin',
      'India',
      '--manufacturer',
      'Tiruppur Knits, Tiruppur',
      '--net-quantity',
      '1 N',
      '--details-url',
      'https://www.example.com/mug',
    ],
    ['NEW', '--name', 'Newest', '--base-price', '1.3', '--low-stock', '3'],
    ['NEW', '--base-price', '1.4', '--from', '2099-01-01'],
  ],
  'stock count': () => [['NEW', 'M', '6']],
  'stock receive': () => [['NEW', 'M', '3']],
  'stock show': () => [['NEW']],
  'stock low': () => [['--below', '10']],
  'stock history': () => [['NEW', 'M']],
  'stock export': () => [[]],
  'price import': ({ file }) => [
    [file('plan,sku,wholesale_price\np1,NEW,1.1\n')],
    [file('plan,sku,wholesale_price\np1,NEW,1.15\n')],
    [file('plan,sku,wholesale_price\np1,NEW,\n')],
    [file('plan,sku,wholesale_price\np1,NEW,1.2\n'), '--from', '2099-01-01'],
  ],
  'price import-rates': ({ file }) => [[file('sku,gst_rate\nNEW,5\n'), '--from', '2099-01-01']],
  'price export': () => [[]],
  'price upcoming': () => [[], ['900']],
  'price withdraw': () => [['900']],
  'order list': () => [[], ['--search', 'pune']],
  'order show': ({ sold }) => [[sold]],
  'order pay': ({ sold, unwanted }) => [[sold, '--method', 'upi', '--reference', '42'], [unwanted]],
  'order unpay': ({ unwanted }) => [[unwanted, '--reason', 'a test']],
  'order export': () => [[]],
  'packing new': ({ file }) => [['--output', file(''), '--pdf', file('')]],
  'packing list': () => [[]],
  'packing show': () => [['1']],
  'packing drop': () => [['1']],
  'order address': ({ sold }) => [
    [sold, '--city', 'Pune', '--phone', '+91 98450 00000', '--name', 'R', '--reason', 'a test'],
  ],
  'order invoice-first': ({ sold }) => [[sold]],
  'order ship': ({ sold }) => [[sold, '--courier', 'Delhivery', '--tracking-number', '1', '--old-slip']],
  'order correct': ({ sold }) => [[sold, '--tracking-number', '11']],
  'order deliver': ({ sold }) => [[sold]],
  'order undeliver': ({ sold }) => [[sold, '--reason', 'a test']],
  'order reissue': ({ sold, renamed }) => [[sold, '--reason', renamed()]],
  'order withdraw': ({ sold }) => [[sold, '--reason', 'a test']],
  'order cancel': ({ unwanted }) => [[unwanted, '--reason', 'a test']],
  'order refund': ({ sold }) => [[sold, '--amount', '0.01', '--reason', 'a test']],
  'order take-back': ({ sold }) => [[sold, '--refund', '1', '--reason', 'a test']],
  'order refused': () => [[]],
  'order sales-export': () => [[]],
  'order totals': () => [[]],
  'report sales': () => [[], ['--by', 'product']],
  'report gst': () => [['--month', '2026-11']],
  'report filed': () => [
    ['--month', '2026-10'],
    ['--month', '2026-10', '--take-back', 'a test'],
  ],
  'report balances': () => [['--on', '2026-11-30']],
  'report mail-statements': () => [['--month', '2025-01']],
  'report ledger': () => [['1', '--from', '2026-11-01']],
  'report register': () => [['--to', '2026-11-30']],
  'report vouchers': () => [['--month', '2026-11']],
  'report statement': ({ clientId, file }) => [
    [String(clientId), '--month', '2026-11'],
    [String(clientId), '--month', '2026-11', '--output', file('')],
  ],
  'invoice list': () => [[], ['--search', 'x', '--month', '2026-11']],
  'invoice show': ({ invoice }) => [[invoice()]],
  'invoice pdf': ({ invoice, file }) => [[invoice(), '--output', file('')]],
  'invoice e-invoices': ({ file }) => [['--output', file('')]],
  'invoice register': ({ file, invoice }) => [
    [invoice().then((number) => file(JSON.stringify(answerTo(number))))],
  ],
  'invoice e-way-bills': ({ file }) => [['--output', file('')]],
  'invoice e-way-bill': ({ invoice }) => [
    [invoice(), '--set', 'vehicle_number=KA01AB1234'],
    [invoice(), '--end', 'a test'],
  ],
  'invoice register-e-way-bills': ({ file, invoice }) => [
    [invoice().then((number) => file(`number,vehicle_number\n${number},KA01AB1234\n`))],
  ],
  'invoice export': ({ file }) => [['--month', '2026-11', '--output', file('')]],
  'mail list': () => [[], ['--state', 'waiting']],
  'mail try': () => [['me@example.com']],
  'changes list': () => [[]],
  'audit list': ({ clientId }) => [['--client', String(clientId)]],
  'wallet adjust': ({ clientId }) => [['--reason', 'a test', '--', String(clientId), '1000']],
  'wallet pay-out': ({ clientId }) => [[String(clientId), '1', '--reference', 'N000000000000042']],
  'wallet pay': ({ prepaid }) => [[prepaid]],
  'wallet show': ({ clientId }) => [[String(clientId)]],
  'wallet history': ({ clientId }) => [[String(clientId)]],
  'wallet auto-pay': ({ clientId }) => [
    [String(clientId), '--on', '--order-cap', '10'],
    [String(clientId), '--off'],
  ],
  'wallet check': () => [[]],
  'payment list': () => [['--needs-person']],
  'payment show': ({ paymentId }) => [[paymentId]],
  'payment resolve': ({ paymentId }) => [[paymentId, '--note', 'a test']],
  'payment give-up': ({ openPaymentId }) => [[openPaymentId]],
  'payment settle': ({ paymentId }) => [[paymentId]],
  'payment refund': ({ paymentId }) => [[paymentId, '--amount', '1']],
  'wallet remove-test-money': () => [['--yes']],
  'transfer list': () => [[]],
  'transfer announce': ({ clientId }) => [
    [String(clientId), '100', 'N000000000000001'],
    [String(clientId), '100', 'N000000000000002'],
  ],
  'transfer confirm': () => [['1']],
  'transfer refuse': () => [['2', '--reason', 'a test']],
  'shipment import': ({ file, prepaid, sold }) => [
    [file(`order_number,courier,tracking_number\n${prepaid},Delhivery,2\n${sold},Delhivery,3\n`)],
  ],
  'shipment correct': ({ file, prepaid }) => [
    [file(`order_number,courier,tracking_number,tracking_url,shipped_at\n${prepaid},Delhivery,22,,\n`)],
  ],
  'shipment deliver': ({ file, prepaid }) => [[file(`order_number\n${prepaid}\n`)]],
  'return add': ({ sold }) => [[sold, '--line', '1=1', '--reason', 'a test']],
  'return list': () => [[]],
  'return show': ({ openReturn }) => [[openReturn()]],
  'return accept': ({ openReturn }) => [[openReturn(), '--send-to', 'Acme', '--send-by', '2099-12-12']],
  'return receive': ({ openReturn }) => [[openReturn(), '--restock', '1=1']],
  'return refund': ({ openReturn }) => [[openReturn('received')]],
  'return import': ({ file, prepaid }) => [[file(`order_number,lines,reason\n${prepaid},1=1,a test\n`)]],
  'return refuse': ({ openReturn }) => [[openReturn(), '--reason', 'a test']],
  'subscription end': ({ clientId }) => [[String(clientId)]],
  'product deactivate': () => [['NEW']],
  'demo load': () => [['--products', '20', '--yes']],
  'demo unload': () => [[]],
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

  /** Makes a top-up with a concern for an operator. */
  async function payIn(): Promise<string> {
    const browser = new SandboxBrowser(test);
    const payment = await (await Buyer.of(test, store.clientId)).topUp('50');
    const { paymentId } = payment;
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    await test.app.get(ReconcilerService, { strict: false }).run();
    await test.fixtures.sql(
      `UPDATE payments SET concern = 'no_answer', next_check_at = NULL WHERE payment_id = $1`,
      [paymentId],
    );
    return paymentId;
  }

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
      for (const command of [['migrate'], ['plan', 'list']]) {
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

  describe('and its commands', () => {
    let facts: Facts;
    let mailServer: MailServer;
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(path.join(os.tmpdir(), 'wholesale-rights-'));
      const customer = await test.fixtures.store();
      mailServer = await MailServer.start();
      const [sold, prepaid, unwanted] = [await place(), await place(), await place()];
      await test.pool.query(
        `INSERT INTO price_schedules (id, from_at, actor) VALUES (900, '2099-01-01', 'test')`,
      );
      let files = 0;
      const file = async (content: string) => {
        const name = path.join(directory, `${++files}.csv`);
        await writeFile(name, content);
        return name;
      };
      const openReturn = async (state = 'requested') => {
        const [open] = await answerOf<{ number: string }[]>(asRole, 'return', 'list', '--state', state);
        return open!.number;
      };
      const invoice = async () => {
        const [newest] = await answerOf<{ number: string }[]>(asRole, 'invoice', 'list', '--kind', 'invoice');
        return newest!.number;
      };
      const renamed = async () => {
        await test.pool.query("UPDATE clients SET name = 'Renamed' WHERE id = $1", [store.clientId]);
        return 'a new name';
      };
      const paymentId = await payIn();
      const { paymentId: openPaymentId } = await (await Buyer.of(test, store.clientId)).topUp('5');
      facts = {
        clientId: store.clientId,
        sku,
        tokenId: customer.tokenId,
        sold,
        prepaid,
        unwanted,
        openPaymentId,
        paymentId,
        file,
        openReturn,
        invoice,
        renamed,
      };
    });
    afterAll(() => rm(directory, { recursive: true }));

    it('are all tested here', () => {
      expect([...Object.keys(COMMANDS), ...OF_THE_OWNER, ...WITHOUT_DATABASE].toSorted()).toEqual(
        namesOf(createCli([]).program).toSorted(),
      );
    });

    it.each(Object.entries(COMMANDS))('have the rights they need: %s', async (name, runsOf) => {
      for (const run of runsOf(facts)) {
        const env = {
          DATABASE_URL: asRole,
          PAYMENT_GATEWAY: 'sandbox',
          E_INVOICES_FROM: '2099-01-01',
          HSN_DIGITS: '6',
          ...mailServer.environment,
          PUBLIC_URL: test.url,
        };
        const notice = await runCommandIn(env, ...name.split(' '), ...(await Promise.all(run)));
        expect(notice).toMatchObject({ exitCode: 0, stderr: '' });
      }
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
      expect((await answerOf<object[]>(itself.href, 'plan', 'list')).length).toBeGreaterThan(0);
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
