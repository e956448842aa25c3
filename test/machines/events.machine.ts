import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { Balancer } from '../support/balancer.js';
import { run } from '../../src/server/embedded-postgres/programs.js';
import { contradictions, lostOrders } from '../support/books.js';
import { WalletService } from '../../src/modules/wallet/wallet.service.js';
import { OperatorServices } from '../support/operator-services.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/print-figures.js';
import { runCommandIn } from '../support/run-command.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { ServiceProcess } from '../support/service-process.js';
import { Cluster } from './cluster.js';
import { missingPrograms } from './daemon.js';
import type { Machine } from './machine.js';
import { Traffic } from './traffic.js';

const missing = missingPrograms();
if (missing) printFigures('machines', { skipped: missing });

/** How long no machine may take over from a leader that only has much to do. */
const LOAD_SECONDS = Number(process.env.LOAD_SECONDS ?? 20);

const isStrange = (status: number | string) =>
  typeof status === 'number' && ![201, 409, 503].includes(status);

(missing ? describe.skip : describe)('Orders, payments and reads through two nodes on three machines', () => {
  let cluster: Cluster;
  let pool: Pool;
  let environment: Record<string, string>;
  let nodes: ServiceProcess[];
  const nodeUrls = () => nodes.map(({ url }) => url);
  let entrance = nodeUrls;
  let traffic: Traffic;
  const table: Record<string, unknown>[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start();
    pool = new Pool({ connectionString: cluster.url, max: 2 });
    // The tests' connections break too; the next query gets a new one.
    pool.on('error', () => undefined);
    const owner = { DATABASE_URL: cluster.urlOf('wholesale_owner', 'past the pooler') };
    expect(await runCommandIn(owner, 'migrate')).toMatchObject({ exitCode: 0 });
    environment = {
      DATABASE_URL: cluster.urlOf('wholesale_service'),
      DATABASE_DIRECT_URL: cluster.urlOf('wholesale_service', 'past the pooler'),
      RATE_LIMIT_PER_MINUTE: '0',
      UNPAID_ORDERS_LIMIT: '0',
      UNPAID_VALUE_LIMIT: '0',
      SHUTDOWN_DRAIN_SECONDS: '2',
    };
    nodes = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)]);
    traffic = await Traffic.start(pool, () => entrance());
    await cluster.whole();
    // HAProxy ends connections when a busy machine answers its checks late.
    const operator = await OperatorServices.open(owner.DATABASE_URL);
    const wallets = operator.app.get(WalletService);
    await eventually(() => wallets.adjust(traffic.store.clientId, '9999999', 'test', 'test'));
    await operator.close();
  });

  afterAll(async () => {
    await traffic?.stop();
    await ServiceProcess.killAll();
    await pool?.end();
    const rows = table.map((row) => `| ${Object.values(row).join(' | ')} |\n`);
    process.stderr.write(`| ${Object.keys(table[0] ?? {}).join(' | ')} |\n${rows.join('')}`);
  });

  /** Payments that are not exactly once in the books. */
  async function wrongPayments(orders: string[]): Promise<unknown[]> {
    const { rows } = await pool.query(
      `SELECT paid.number FROM unnest($1::text[]) AS paid (number)
        WHERE (SELECT count(*) FROM wallet_entries
                WHERE order_number = paid.number AND kind = 'order_payment') <> 1`,
      [orders],
    );
    return rows;
  }

  async function doubledOrders(): Promise<unknown[]> {
    const { rows } = await pool.query(
      'SELECT store_order_id FROM orders GROUP BY client_id, store_order_id HAVING count(*) > 1',
    );
    return rows;
  }

  /** Lets something happen under traffic, checks what was confirmed, and waits until the cluster is whole again. */
  async function during(title: string, event: () => Promise<unknown>): Promise<void> {
    await traffic.flows();
    const { gaps, orders, paid } = traffic;
    for (const gap of Object.values(gaps)) gap.take();
    const before = orders.acknowledged.size;
    await event();
    await traffic.flows();
    const seconds = Object.entries(gaps).map(([what, gap]) => [`s without ${what}`, gap.take().toFixed(1)]);
    const acknowledged = new Map(orders.acknowledged);
    const wrong = {
      lost: await lostOrders(pool, traffic.store.clientId, acknowledged),
      doubled: await doubledOrders(),
      payments: await wrongPayments([...paid]),
      contradictions: await contradictions(pool),
      answers: [...traffic.strange, ...[...orders.statuses.keys()].filter(isStrange)],
    };
    const figures = {
      ...Object.fromEntries(seconds),
      orders: acknowledged.size - before,
      lost: wrong.lost.length,
      doubled: wrong.doubled.length,
    };
    table.push({ 'what happens': title, ...figures });
    printFigures(title, figures);
    expect(wrong).toEqual({ lost: [], doubled: [], payments: [], contradictions: [], answers: [] });
    expect(nodes.every(({ isRunning }) => isRunning)).toBe(true);
    await cluster.whole();
  }

  /** How many times a watch revoked the lock of a leader. */
  const endedLocks = () =>
    cluster.machines.flatMap(({ watch }) => watch.output.match(/lock is revoked/g) ?? []).length;

  /** Patroni would wait until the lock expires. */
  async function takeOver(leader: Machine, ended: number): Promise<void> {
    await cluster.leader(leader);
    await traffic.flows();
    expect(endedLocks()).toBeGreaterThan(ended);
  }

  it('go on after the leader is killed', () =>
    during('leader killed', async () => {
      const [leader, ended] = [await cluster.leader(), endedLocks()];
      await leader.kill();
      await takeOver(leader, ended);
      leader.startAgain();
    }));

  it('go on while the leader is frozen, and after it thaws', () =>
    during('leader frozen', async () => {
      const [leader, ended] = [await cluster.leader(), endedLocks()];
      const thaw = await leader.freeze();
      await takeOver(leader, ended);
      thaw();
    }));

  it('go on after the synchronous standby is killed', () =>
    during('synchronous standby killed', async () => {
      const standby = await cluster.standby();
      await standby!.kill();
      await traffic.flows();
      standby!.startAgain();
    }));

  it('go on while the leader is cut off from the network', () =>
    during('leader cut off', async () => {
      const [leader, ended] = [await cluster.leader(), endedLocks()];
      // It must not ask the others whether it may go on without etcd.
      const links = [
        ...Object.values(leader.links),
        ...cluster.machines.map((machine) => machine.links.peers),
      ];
      for (const link of links) link.freeze();
      await takeOver(leader, ended);
      for (const link of links) link.thaw();
    }));

  it('go on after a switchover on purpose', () =>
    during('switchover', async () => {
      const leader = await cluster.leader();
      const body = JSON.stringify({ leader: leader.name });
      expect(await leader.ask('/switchover', { method: 'POST', body })).toMatchObject({ status: 200 });
      await cluster.leader(leader);
    }));

  it(
    `go on for ${LOAD_SECONDS} s while each core is busy, and no machine takes over`,
    () =>
      during('full load', async () => {
        const history = async () => (await cluster.leader()).read('/history');
        const [before, ended] = [await history(), endedLocks()];
        const busy = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
        const rest = atSuiteEnd(() => busy.forEach((each) => each.kill('SIGKILL')));
        await pause(LOAD_SECONDS * 1_000);
        await rest();
        expect([await history(), endedLocks()]).toEqual([before, ended]);
      }),
    300_000 + LOAD_SECONDS * 1_000,
  );

  it('go on without etcd, and after it is back', () =>
    during('etcd away', async () => {
      const leader = await cluster.leader();
      await cluster.etcd.kill();
      await eventually(() =>
        leader.patroni.output.includes('continue to run as a leader because failsafe mode is enabled'),
      );
      await traffic.flows();
      cluster.etcd.start();
    }));

  it('go on after the disk of the leader was full', async () => {
    if (!cluster.machines.every(({ hasDisk }) => hasDisk))
      return printFigures('disk full', { skipped: 'only root can mount a small disk' });
    await during('disk of the leader full', async () => {
      const leader = await cluster.leader();
      const filler = path.join(leader.directory, 'filler');
      expect((await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'])).output).toContain('No space left');
      const refused = traffic.orders.statuses.get(503) ?? 0;
      await eventually(() => (traffic.orders.statuses.get(503) ?? 0) > refused + 20);
      await rm(filler);
    });
  });

  it('go on after a node of the service is killed', () =>
    during('node of the service killed', async () => {
      const [node] = nodes;
      const { url } = node!;
      await node!.end();
      await traffic.flows();
      nodes[0] = await ServiceProcess.start({ ...environment, PORT: new URL(url).port });
    }));

  it('go on without a failed request while the nodes of the service are upgraded in turn', () =>
    during('rolling upgrade of the nodes', async () => {
      const balancer = await Balancer.before(nodeUrls);
      entrance = () => [balancer.url];
      const before = traffic.failures;
      for (const [n, node] of nodes.entries()) {
        await traffic.flows();
        const { url } = node;
        await node.end('SIGTERM');
        nodes[n] = await ServiceProcess.start({ ...environment, PORT: new URL(url).port });
        await eventually(() => balancer.isReady(url));
      }
      await traffic.flows();
      entrance = nodeUrls;
      await balancer.close();
      expect(balancer.failures).toEqual([]);
      expect(traffic.failures).toBe(before);
    }));
});
