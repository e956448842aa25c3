import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { DatabaseUser } from '../support/database-user.js';
import { eventually } from '../support/eventually.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { ServiceProcess } from '../support/service-process.js';

describe('The service as it is started', () => {
  let dataDir: string;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    dataDir = await makeOpenDirectory('start-');
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (environment: Record<string, string> = {}) =>
    ServiceProcess.spawn({ DATA_DIR: dataDir, ...environment });

  /** The one that runs already, if it does: not every test is about starting. */
  const running = async (): Promise<ServiceProcess> => {
    if (!service?.isRunning) service = start();
    await service.listening();
    return service;
  };

  const curlLine = (output: string) => /^curl .*$/m.exec(output)![0];

  const credentials = async () => {
    const { token, domain } = JSON.parse(
      await readFile(join(dataDir, 'demo-credentials.json'), 'utf8'),
    ) as Record<string, string>;
    return {
      Authorization: `Bearer ${token}`,
      'X-Client-Domain': domain!,
      'Content-Type': 'application/json',
    };
  };

  const withoutAddress = (line: string) => line.replace(/http:\S+/, '');

  it('brings its own database and a demo, and prints a curl line that works when pasted', async () => {
    const { output } = await running();
    expect(output).toMatch(/^Docs: http:\/\/localhost:\d+\/docs$/m);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curlLine(output)} -s`]);
    const { status, total } = JSON.parse(stdout) as { status: boolean; total: number };
    expect(status).toBe(true);
    expect(total).toBeGreaterThan(50);
    expect((await stat(join(dataDir, 'demo-credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it('prints the same credentials on the next start, and keeps what was ordered when it was killed', async () => {
    const first = await running();
    const order = { ...orderBody([{ sku: 'MUG-350', quantity: 1 }]), store_order_id: 'BEFORE-THE-KILL' };
    const answer = await fetch(`${first.url}/api/orders`, {
      method: 'POST',
      headers: await credentials(),
      body: JSON.stringify(order),
    });
    expect([answer.status, await answer.json()]).toMatchObject([201, { success: true }]);
    await first.end('SIGKILL');

    const second = await running();
    const status = await fetch(`${second.url}/api/orders/BEFORE-THE-KILL/status`, {
      headers: await credentials(),
    });
    expect(status.status).toBe(200);
    expect(withoutAddress(curlLine(second.output))).toBe(withoutAddress(curlLine(first.output)));
  });

  it('completes the demo when it was killed in the midst of loading it', async () => {
    const emptyDir = await makeOpenDirectory('start-killed-');
    const user = await DatabaseUser.start(emptyDir);
    const { url } = user.attached;
    await migrate(url);
    const hand = new Client(url);
    await hand.connect();
    await hand.query('BEGIN; LOCK TABLE stock_items IN EXCLUSIVE MODE');
    const first = start({ DATA_DIR: emptyDir });
    await eventually(async () => (await hand.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount);
    await first.end('SIGKILL');
    await hand.query('ROLLBACK');
    expect((await hand.query('SELECT FROM subscriptions')).rowCount).toBe(0);
    await hand.end();

    const second = start({ DATA_DIR: emptyDir });
    await second.listening();
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curlLine(second.output)} -s`]);
    expect((JSON.parse(stdout) as { total: number }).total).toBeGreaterThan(50);
    await second.end('SIGTERM');
    await user.detach();
    await rm(emptyDir, { recursive: true });
  });

  it('refuses to be the second service on one DATA_DIR, and says so', async () => {
    await running();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output).toContain('Another service is already running on');
  });

  it('says in one line that its port is taken, before it starts a database', async () => {
    const { port } = new URL((await running()).url);
    const second = start({ PORT: port, DATA_DIR: `${dataDir}-other` });
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(/^127\.0\.0\.1:\d+ is taken by another program\. .*\n$/);
  });

  it('ends with 0 on SIGTERM, and with it its database', async () => {
    expect(await (await running()).end('SIGTERM')).toBe(0);
    await expect(stat(join(dataDir, 'supervisor.json'))).rejects.toThrow('ENOENT');
  });

  it('tells everything that is wrong with the settings in one message', async () => {
    const misled = start({
      PORT: 'many',
      CURRENCY: 'rupees',
      DATABASE_URL: 'mysql://secret@host/db',
      TRUST_PROXY: 'true',
    });
    expect(await misled.ended).toBe(1);
    for (const name of ['PORT', 'CURRENCY', 'DATABASE_URL', 'TRUST_PROXY'])
      expect(misled.output).toContain(`- ${name} must`);
    expect(misled.output).not.toContain('secret');
  });
});
