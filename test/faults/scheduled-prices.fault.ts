import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import { eventually } from '../support/eventually.js';
import { setUpDatabase } from '../support/suite-database.js';
import { OperatorServices } from '../support/operator-services.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';

const PRICES = 20_000;
const KILLS = 4;

/** The plan `gold` takes 10 % off products of 100.00, and gets fixed prices of 95.00 for all of them. */
describe('A file of scheduled prices on two nodes', () => {
  const database = setUpDatabase();
  let operator: OperatorServices;
  let environment: Record<string, string>;
  let nodes: ServiceProcess[];

  beforeAll(async () => {
    await database.fixtures.plan({ code: 'gold', discount: '10' });
    await database.pool.query(
      `INSERT INTO products (sku, name, description, category, base_price, delivery_charge)
       SELECT 'S-' || n, 'Product', '', '', 100, 0 FROM generate_series(1, ${PRICES}) AS n`,
    );
    operator = await OperatorServices.open(database.url);
    environment = { DATABASE_URL: database.serviceUrl };
    nodes = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)]);
  });

  afterAll(async () => {
    await ServiceProcess.killAll();
    await operator.close();
  });

  const one = async <Value>(sql: string) => (await database.pool.query<{ value: Value }>(sql)).rows[0]!.value;
  const applied = (id: number) =>
    one<number>(
      `SELECT count(*)::int AS value FROM scheduled_prices WHERE schedule_id = ${id} AND state = 'applied'`,
    );

  async function schedule(): Promise<{ seconds: number }> {
    const rows = Array.from({ length: PRICES }, (_, n) => `gold,S-${n + 1},95`).join('\n');
    const beganAt = performance.now();
    const dates = { from: new Date('2099-01-01'), to: new Date('2100-01-01') };
    const files = operator.app.get(PriceFiles);
    const report = await operator.import(files, `plan,sku,wholesale_price\n${rows}\n`, dates);
    expect(report).toMatchObject({ created: PRICES, failed: [] });
    return { seconds: (performance.now() - beganAt) / 1_000 };
  }

  /** Returns after how many seconds the condition holds. */
  async function secondsUntil(sql: string): Promise<number> {
    const beganAt = performance.now();
    await eventually(() => one<boolean>(sql), 200_000);
    return (performance.now() - beganAt) / 1_000;
  }

  /** How often each price was written, and how often the audit log tells the end of the work. */
  async function written(action: string) {
    const { rows } = await database.pool.query<{ times: number; prices: number }>(
      `SELECT times, count(*)::int AS prices
         FROM (SELECT count(*)::int AS times FROM changes WHERE subject = 'price' GROUP BY name) AS counted
        GROUP BY times`,
    );
    const message = await one<number>(
      `SELECT count(*)::int AS value FROM audit_log WHERE action = '${action}'`,
    );
    return { rows, told: message };
  }

  it('is applied once while both are killed again and again', async () => {
    await schedule();
    await database.pool.query('UPDATE price_schedules SET from_at = now() WHERE id = 1');
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await applied(1);
      await eventually(async () => (await applied(1)) > before);
      await Promise.all(nodes.map((node) => node.end()));
      nodes = [await ServiceProcess.start(environment)];
    }
    const left = PRICES - (await applied(1));
    nodes.push(await ServiceProcess.start(environment));
    await secondsUntil('SELECT applied_at IS NOT NULL AS value FROM price_schedules WHERE id = 1');
    expect(await applied(1)).toBe(PRICES);
    expect(await one('SELECT count(*)::int AS value FROM plan_prices WHERE price = 95')).toBe(PRICES);
    expect(await written('prices.applied')).toEqual({ rows: [{ times: 1, prices: PRICES }], told: 1 });
    expect(left).toBeGreaterThan(0);
    printFigures('scheduled prices, nodes killed', { times: KILLS, 'left after the last kill': left });
  });

  it('ends, and is applied again, in some seconds', async () => {
    await database.pool.query('UPDATE price_schedules SET to_at = now() WHERE id = 1');
    const ended = await secondsUntil('SELECT closed_at IS NOT NULL AS value FROM price_schedules');
    expect(await one('SELECT count(*)::int AS value FROM plan_prices')).toBe(0);
    expect(await written('prices.ended')).toEqual({ rows: [{ times: 2, prices: PRICES }], told: 1 });
    const { seconds } = await schedule();
    await database.pool.query('UPDATE price_schedules SET from_at = now() WHERE id = 2');
    const started = await secondsUntil(
      'SELECT applied_at IS NOT NULL AS value FROM price_schedules WHERE id = 2',
    );
    expect(await written('prices.applied')).toEqual({ rows: [{ times: 3, prices: PRICES }], told: 2 });
    printFigures('scheduled prices', {
      prices: PRICES,
      'seconds to schedule': seconds,
      'to apply': started,
      'to return': ended,
    });
  });
});
