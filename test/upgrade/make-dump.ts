/**
 * Makes the dump of a release, which later releases must be able to migrate: `npm run upgrade:dump`. It needs
 * PostgreSQL of Debian (`apt-get install postgresql`), because the embedded one has no pg_dump.
 */
import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Pool } from 'pg';
import { DemoLoad } from '../../src/demo/demo-load.service.js';
import { FiledReturnsService } from '../../src/modules/invoices/filed-returns.service.js';
import { SoldRepository } from '../../src/modules/sales/sold.repository.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { VERSION } from '../../src/platform/version.js';
import { contradictions } from '../support/books.js';
import { Buyer } from '../support/buyer.js';
import { closeCommandServices } from '../support/command-service.js';
import { debianPostgres, startDebianPostgres } from '../support/debian-postgres.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { runCommandIn } from '../support/run-command.js';
import { SandboxBrowser } from '../support/sandbox-browser.js';
import type { OutcomeName } from '../support/sandbox-checkout.js';
import { signIn, signInAtDesk } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { askBuild } from './ask-build.js';
import { missingRows } from './states.js';

const SKU = 'UPGRADE';
const FUTURE = '2099-01-01';

/** Mails wait in the outbox: nothing listens at this port. */
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@wholesale.example' };

type Row = [table: string, column: string, values: string[], more: string, columns: string];

/** SQL for a row of each value of a column. */
const insertAll = (...[table, column, values, more, columns]: Row) => `
  INSERT INTO ${table} (${column}, ${columns})
  SELECT value, ${more} FROM unnest('{${values.join()}}'::text[]) WITH ORDINALITY AS each (value, n)`;

/** States that pass within moments: a running service moves them on. */
const PASSING = [
  insertAll(
    'import_runs',
    'state',
    ['uploading', 'checking', 'checked', 'applying', 'applied', 'failed', 'interrupted', 'cancelled'],
    `'desk:1', CASE value WHEN 'checking' THEN 'catalog' ELSE 'stock' END, 'stock.csv', now()`,
    'actor, kind, file_name, ended_at',
  ),
  insertAll(
    'import_pieces',
    'file',
    ['upload', 'refused', 'changes'],
    `1, n, 'sku'`,
    'run_id, number, bytes',
  ),
  `INSERT INTO payments (client_id, payment_id, provider, amount, currency, status, actor)
      VALUES (1, gen_random_uuid(), 'sandbox', 1, 'INR', 'opening', 'person:1'),
             (1, gen_random_uuid(), 'sandbox', 1, 'INR', 'failed', 'person:1')`,
  `UPDATE gateway_refunds SET status = 'requested', gateway_refund_id = NULL
    WHERE refund_id = (SELECT refund_id FROM gateway_refunds WHERE status = 'pending' LIMIT 1)`,
];

/** Makes rows of all kinds with a running service. */
class Maker {
  private constructor(
    private readonly test: TestApp,
    private readonly store: Store,
    private readonly directory: string,
  ) {}

  static async begin(test: TestApp): Promise<Maker> {
    const load = test.app.get(DemoLoad, { strict: false });
    const made = await load.load(() => Promise.resolve());
    const { token, domain } = made!;
    const { rows } = await test.pool.query<Store>(
      `SELECT t.client_id AS "clientId", t.id AS "tokenId", s.plan_id AS "planId"
         FROM tokens t JOIN subscriptions s USING (client_id)`,
    );
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain };
    const store = { ...rows[0]!, token, domain, headers };
    return new Maker(test, store, await mkdtemp(path.join(os.tmpdir(), 'wholesale-dump-')));
  }

  get headers() {
    return this.store.headers;
  }

  async end(): Promise<void> {
    await closeCommandServices();
    await rm(this.directory, { recursive: true });
  }

  /** Runs a command and returns its answer. Spaces separate the words, and `_` stands for a space in one. */
  async run<Answer>(line: string): Promise<Answer> {
    const args = line.split(' ').map((word) => word.replaceAll('_', ' '));
    const env = {
      DATABASE_URL: this.test.database.url,
      PAYMENT_GATEWAY: 'sandbox',
      PUBLIC_URL: this.test.url,
      ...MAIL,
    };
    const { exitCode, stdout, stderr } = await runCommandIn(env, ...args, '--json');
    if (exitCode !== 0) throw new Error(`${line}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as Answer;
  }

  async file(content: string): Promise<string> {
    const name = path.join(this.directory, `${content.length}.csv`);
    await writeFile(name, content);
    return name;
  }

  sql(text: string): Promise<unknown> {
    return this.test.pool.query(text);
  }

  place(quantity = 4): Promise<string> {
    return this.test.place(this.store, [{ sku: SKU, quantity }]);
  }

  /** Plans, goods and prices. */
  async catalog(): Promise<void> {
    const goods = `sku,name,base_price,delivery_charge,hsn,gst_rate\n${SKU},Bowl,310,55,6912,12\nGONE,Gone,1,0,6912,12\n`;
    await this.run(`catalog import ${await this.file(goods)}`);
    await this.run(`stock import ${await this.file(`sku,variation,quantity\n${SKU},,5000\n`)}`);
    await this.run('plan set silver --name Silver --discount 5');
    await this.run(`plan set silver --discount 6 --from ${FUTURE}`);
    await this.test.fixtures.removeProducts('GONE');
  }

  /** People, clients and what is mailed to them. */
  async people(): Promise<void> {
    await this.run(
      `client add --name Other --email o@example.com --domain o.example.com --plan silver --until ${FUTURE}`,
    );
    await this.run('desk invite --email staff@example.com --role staff');
    await this.run('desk invite --email packer@example.com --role packer');
    await this.run('person invite 1 --email buyer@example.com --role buyer');
    await this.run('person link owner@demo-store.example.com');
    await this.run('client allow-domain 1 new.example.com');
    await this.run('wallet auto-pay 1 --enabled --order-cap 10');
    await this.run('wallet auto-pay 1 --no-enabled');
    await signIn(this.test, 1);
    await signInAtDesk(this.test);
    for (const kind of ['read_only', 'test'] as const) await this.test.fixtures.withToken(this.store, kind);
    const forTests = await this.test.fixtures.withToken(this.store, 'test');
    await this.test.post(forTests, '/api/orders', orderBody([{ sku: SKU, quantity: 1 }])).expect(201);
  }

  /** Orders from placing to their returns, refunds and documents. */
  async orders(): Promise<void> {
    const sold = await this.place(8);
    await this.run(`order pay ${sold} --method upi --reference 42`);
    await this.run('packing new');
    await this.run(`order address ${sold} --city Pune --reason typo`);
    await this.run(`order invoice-first ${sold}`);
    await this.run(`order ship ${sold} --courier Delhivery --tracking-number 1 --old-slip`);
    await this.run(`order deliver ${sold}`);
    await this.run(`order refund ${sold} --amount 10 --reason late`);
    await this.run(`order refund ${sold} --delivery --reason late`);
    await this.run(`order take-back ${sold} --refund 1 --reason mistake`);
    await this.run(`order refund ${sold} --line 1=1 --reason broken`);
    let returns = 0;
    const returned = async () => {
      const line = `return add ${sold} --line 1=1 --reason broken --key ${++returns}`;
      return (await this.run<{ number: string }>(line)).number;
    };
    await this.run(`return receive ${await returned()} --restock 1=1 --refund`);
    await this.run(`return refuse ${await returned()} --reason used`);
    await this.run(`return accept ${await returned()} --send-to Acme --send-by ${FUTURE}`);
    const partly = await this.place();
    await this.run(`order pay ${partly} --method upi --reference 43`);
    await this.run(`order ship ${partly} --line 1=3 --courier Delhivery --tracking-number 2`);
    const { number } = await this.run<{ number: string }>(`return add ${partly} --line 1=3 --reason broken`);
    await this.run(`return receive ${number} --line 1=1`);
    await this.run('seller set --receipt-vouchers');
    for (const step of ['cancel', 'invoice-first']) {
      const order = await this.place();
      await this.run(`order pay ${order} --method upi --reference ${step}`);
      await this.run(`order ${step} ${order}${step === 'cancel' ? ' --reason wish' : ''}`);
    }
    await this.run('seller set --no-receipt-vouchers');
    await this.place(1);
  }

  /** Payments and refunds through the sandbox, bank transfers and wallets. */
  async money(): Promise<void> {
    const browser = new SandboxBrowser(this.test);
    const buyer = await Buyer.of(this.test, 1);
    const topUp = async (outcome: OutcomeName) => {
      const payment = await buyer.topUp('500');
      await browser.comeBack(await browser.press(payment, outcome));
      return payment.paymentId;
    };
    for (const outcome of ['pay', 'refund_fails', 'refund_waits', 'refund_waits', 'refund_waits'] as const)
      await this.run(`payment refund ${await topUp(outcome)} --amount 100`);
    await topUp('fail');
    await buyer.pay(await this.place(300));
    await buyer.giveUp((await buyer.topUp('5')).paymentId);
    await buyer.topUp('6');
    const { rows } = await this.test.pool.query<{ id: string }>(
      `SELECT gateway_refund_id AS id FROM gateway_refunds WHERE status = 'pending' LIMIT 1`,
    );
    await browser.endRefund(rows[0]!.id, 'failed');
    for (const utr of ['1', '2', '3', '4'])
      await this.run(`transfer announce 1 100 N00000000000000${utr}${utr === '1' ? ' --tds 10' : ''}`);
    const { rows: announced } = await this.test.pool.query<{ id: number }>(
      `SELECT transfer_id AS id FROM bank_transfers WHERE utr LIKE 'N0000%' ORDER BY utr`,
    );
    const [first, second, third] = announced.map(({ id }) => id);
    await this.run(`transfer confirm ${first}`);
    await this.run(`transfer refuse ${second} --reason unknown`);
    await this
      .sql(`UPDATE bank_transfers SET status = 'withdrawn', decided_at = now(), decided_by = 'person:1'
                     WHERE transfer_id = ${third}`);
    await this.run('wallet adjust 1 1000 --reason gift');
    await this.run('wallet pay-out 1 1 --reference N000000000000042');
  }

  /** The rest of the books. */
  async books(): Promise<void> {
    await this.test.app.get(FiledReturnsService, { strict: false }).mark('2026-10', {}, 'test');
    const sold = this.test.app.get(SoldRepository, { strict: false });
    while (await sold.keepNextDay());
  }

  /** States that pass within moments, or that come with time, files and callers that are not here. */
  async rest(): Promise<void> {
    const list = (...row: Row) => this.sql(insertAll(...row));
    await list(
      'pictures',
      'type',
      ['jpg', 'png', 'webp'],
      `encode(sha256(value::bytea), 'hex'), value::bytea, value::bytea`,
      'hash, bytes, thumbnail',
    );
    await list(
      'clients',
      'gst_category',
      ['sez', 'government', 'uin'],
      `value, value || '@example.com', '29'`,
      'name, email, state',
    );
    await list(
      'products',
      'gst_treatment',
      ['nil_rated', 'exempt', 'non_gst'],
      `value, value, '', '', 1, 0`,
      'sku, name, description, category, base_price, delivery_charge',
    );
    await list(
      'scheduled_prices',
      'state',
      ['applied', 'returned', 'kept'],
      `(SELECT min(id) FROM price_schedules), 100 + n, 1, 1, 2`,
      'schedule_id, number, plan_id, product_id, value',
    );
    await this.sql(`
      INSERT INTO job_failures VALUES ('order_expiry', now());
      INSERT INTO second_steps (hash, person_id, ends_at) VALUES (sha256('a'), 1, '${FUTURE}');
      INSERT INTO recovery_codes (person_id, hash) VALUES (1, sha256('b'));
      INSERT INTO sign_in_attempts VALUES ('account:a', 1, '${FUTURE}');
      INSERT INTO notice_choices VALUES (1, '{order.shipped}', 10) ON CONFLICT DO NOTHING;
      INSERT INTO notice_links (hash, person_id, kind) VALUES (sha256('c'), 1, 'order.shipped');
      INSERT INTO statement_mails (client_id, month) VALUES (1, '2026-10');
      INSERT INTO notes (subject, text, actor) VALUES ('client:1', 'A note', 'desk:1');
      INSERT INTO past_histories VALUES ('a', gen_random_uuid(), 1);
      INSERT INTO gateway_events (provider, event_id, body) VALUES ('sandbox', 'a', '{}') ON CONFLICT DO NOTHING`);
    await this.sql(`
      BEGIN;
      SET LOCAL session_replication_role = replica;
      INSERT INTO e_way_bills (number, issued_on) SELECT number, issued_on FROM tax_documents WHERE kind = 'invoice' LIMIT 1;
      UPDATE parcels SET exception = (ARRAY['returning', 'returned', 'lost'])[n]
        FROM (SELECT ctid AS at, row_number() OVER () AS n FROM parcels WHERE exception IS NULL LIMIT 3) AS p WHERE ctid = at;
      UPDATE orders SET origin = (ARRAY['desk', 'dashboard'])[n]
        FROM (SELECT ctid AS at, row_number() OVER () AS n FROM orders LIMIT 2) AS o WHERE orders.ctid = at;
      COMMIT`);
    // Time passes between the dump and the release that restores it: what waits must still wait.
    await this.sql(`
      BEGIN;
      SET LOCAL session_replication_role = replica;
      UPDATE orders SET payment_due_at = '${FUTURE}' WHERE status = 'awaiting_payment';
      UPDATE payments SET next_check_at = NULL;
      UPDATE gateway_refunds SET next_check_at = NULL;
      UPDATE subscriptions SET ends_at = '${FUTURE}';
      UPDATE outbox SET useful_until = '${FUTURE}';
      COMMIT`);
  }
}

/** SQL for the driver, without the commands of psql. */
async function dump(bin: string, url: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    path.join(bin, 'pg_dump'),
    ['--inserts', '--rows-per-insert=100', '--no-owner', `--dbname=${url}`],
    { maxBuffer: 1e9 },
  );
  return stdout.replaceAll(/^(\\.*|--.*|)\n/gm, '');
}

/** Reports all faults at once: a run takes a minute. */
function check(faults: string[]): void {
  if (faults.length > 0) throw new Error(`The dump is not complete:\n${faults.join('\n')}`);
}

async function makeWithService(url: string) {
  const test = await startTestApp({}, { url, serviceUrl: url, drop: () => Promise.resolve() });
  const maker = await Maker.begin(test);
  const faults: string[] = [];
  for (const part of ['catalog', 'people', 'orders', 'money', 'books', 'rest'] as const)
    await maker[part]().catch((error: unknown) => faults.push(`${part}: ${String(error)}`));
  const pool = new Pool({ connectionString: url, max: 1 });
  check([...faults, ...(await missingRows(pool).then((missing) => (faults.length > 0 ? missing : [])))]);
  await test.fixtures.observed();
  const { headers } = maker;
  const answers = await askBuild({ ...test, headers });
  await maker.end();
  await test.close();
  for (const statement of PASSING) await pool.query(statement);
  check([...(await missingRows(pool)), ...(await contradictions(pool))]);
  await pool.end();
  return { headers, answers };
}

async function main(): Promise<void> {
  const bin = debianPostgres();
  if (bin === undefined) throw new Error('There is no pg_dump: apt-get install postgresql');
  const server = await startDebianPostgres(bin);
  try {
    await migrate(server.url);
    const made = await makeWithService(server.url);
    const writePacked = (ending: string, content: string | Buffer) =>
      writeFile(new URL(`${VERSION}.${ending}.gz`, import.meta.url), gzipSync(content, { level: 9 }));
    await writePacked('sql', await dump(bin, server.url));
    await writePacked('json', JSON.stringify(made));
    await server.stop();
  } catch (error) {
    // Connections that are still open would end with an error of their own.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}

await main();
process.exit();
