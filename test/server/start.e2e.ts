import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { FIRST_ADMIN } from '../../src/server/startup/announce.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { VERSION } from '../../src/platform/version.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { RawConnection } from '../support/raw-connection.js';
import { runCommandIn } from '../support/run-command.js';
import { runNode } from '../support/run-node.js';
import { HAS_TERMINALS } from '../support/run-on-terminal.js';
import { ENTRY, ServiceProcess } from '../support/service-process.js';

const withTerminals = HAS_TERMINALS ? it : it.skip;

/** The directives by which systemd keeps the service from the rest of the machine. */
const CONFINEMENT = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'ProtectProc=invisible',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectControlGroups=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateUsers=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
];

describe('The start of the service', () => {
  let dataDir: string;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    dataDir = await makeOpenDirectory('start-');
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes no arguments, and says where settings and commands are', async () => {
    const { exitCode, stdout, stderr } = await runNode([ENTRY, '--help'], {}, dataDir);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The service takes no arguments, but got "--help"\. .*\.env\.example.*help"\.\n$/,
    );
  });

  const start = (environment: Record<string, string> = {}) =>
    ServiceProcess.spawn({ DATA_DIR: dataDir, ...environment });

  /** Returns the running service, or starts one: not every test is about starting. */
  const running = async (): Promise<ServiceProcess> => {
    if (!service?.isRunning) service = start();
    await service.listening();
    return service;
  };

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

  /** Returns the number of products that the demo store can order. */
  const productsOf = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/api/products`, { headers: await credentials() });
    return ((await answer.json()) as { total: number }).total;
  };

  it('brings its own database and a demo, and prints the path of the credentials', async () => {
    const { output, url } = await running();
    expect(output).toContain(`The wholesale order API ${VERSION} listens at `);
    expect(output).toMatch(/^Docs: http:\/\/localhost:\d+\/docs$/m);
    const file = join(dataDir, 'demo-credentials.json');
    expect(output).toMatch(/^Dashboard: http:\/\/localhost:\d+\/dashboard$/m);
    expect(output).toMatch(/^Payments: the sandbox; no money moves, .*$/m);
    expect(output).toContain(`Try it with the demo credentials in ${file}\n`);
    expect(await productsOf(url)).toBeGreaterThan(50);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // Logs keep standard output, and more people can read them than this file.
    const { token, password } = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    for (const secret of [token, password]) expect(output).not.toContain(secret);
  });

  it('loads no demo in production, and says how to make the first admin until there is one', async () => {
    const emptyDir = await makeOpenDirectory('start-production-');
    const production = { DATA_DIR: emptyDir, NODE_ENV: 'production' };
    const first = start(production);
    await first.listening();
    await eventually(() => first.output.includes(FIRST_ADMIN));
    expect(first.output).not.toContain('demo');
    const [, file] = /The file (\S+) has a link/.exec(first.output)!;
    expect(file).toBe(join(emptyDir, 'first-admin-link.txt'));
    expect((await stat(file!)).mode & 0o777).toBe(0o600);
    const link = new URL((await readFile(file!, 'utf8')).trim());
    expect(first.output).not.toContain(link.hash.slice(1));
    const { status } = await fetch(link);
    expect(status).toBe(200);
    const list = async (what: string) => {
      const { stdout } = await runCommandIn(production, what, 'list', '--json');
      return JSON.parse(stdout) as unknown;
    };
    for (const what of ['client', 'person', 'plan']) expect(await list(what)).toEqual([]);
    const invite = 'desk invite --email meera@wholesale.example --role admin'.split(' ');
    expect(await runCommandIn(production, ...invite)).toMatchObject({ exitCode: 0 });
    await first.end('SIGTERM');

    const second = start(production);
    await second.listening();
    await second.end('SIGTERM');
    expect(second.output).not.toContain(FIRST_ADMIN);
    await expect(stat(file!)).rejects.toMatchObject({ code: 'ENOENT' });
    await rm(emptyDir, { recursive: true });
  });

  it('after a kill keeps the credentials and the orders', async () => {
    const first = await running();
    const before = await credentials();
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
    expect(await credentials()).toEqual(before);
  });

  it('refuses a second service on the same DATA_DIR', async () => {
    await running();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output).toContain('Another service is already running on');
  });

  it.each(['PORT', 'METRICS_PORT'])(
    'reports a used %s in one line, before it starts a database',
    async (name) => {
      const { port } = new URL((await running()).url);
      const second = start({ [name]: port, DATA_DIR: `${dataDir}-other` });
      expect(await second.ended).toBe(1);
      const advice = `Stop it, or set ${name} to another port.`;
      expect(second.output).toBe(`127.0.0.1:${port} is taken by another program. ${advice}\n`);
    },
  );

  it('can be ended with SIGTERM: the service exits with 0 and stops its database', async () => {
    expect(await (await running()).end('SIGTERM')).toBe(0);
    expect(await runningServer(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it.each(['start', 'start:prod'])(
    'can be ended through npm in the same way: `npm run %s`',
    async (script) => {
      const byNpm = ServiceProcess.spawnByNpm(script, { DATA_DIR: dataDir });
      await byNpm.listening();
      expect(await byNpm.end('SIGTERM')).toBe(0);
      expect(byNpm.output).toMatch(/Stopped\.\n$/);
      expect(await runningServer(join(dataDir, 'postgres'))).toBeUndefined();
    },
  );

  /** As a terminal and systemd do. npm passes the signal on, so it reaches the service twice. */
  it.each(['start', 'start:prod'])(
    'answers open requests when all processes get the signal: `npm run %s`',
    async (script) => {
      const byNpm = ServiceProcess.spawnByNpm(script, { DATA_DIR: dataDir, SHUTDOWN_DRAIN_SECONDS: '1' });
      const url = await byNpm.listening();
      const order = JSON.stringify(orderBody([{ sku: 'MUG-350', quantity: 1 }]));
      const head = Object.entries({ ...(await credentials()), 'Content-Length': order.length });
      const open = await RawConnection.open(
        url,
        `POST /api/orders/quote HTTP/1.1\r\nHost: store\r\n${head
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n${order.slice(0, 20)}`,
      );
      byNpm.signalAll('SIGTERM');
      // Both signals have arrived when the drain is over.
      await eventually(() =>
        fetch(`${url}/health/live`, { headers: { Connection: 'close' } }).then(
          () => false,
          () => true,
        ),
      );
      open.send(order.slice(20));
      await open.closed;
      expect(open.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(await byNpm.ended).toBe(0);
      expect(byNpm.output).toMatch(/Stopped\.\n$/);
      expect(await runningServer(join(dataDir, 'postgres'))).toBeUndefined();
    },
  );

  it('has a systemd unit that starts the same program and waits until it has stopped', async () => {
    const unit = await readFile('docs/wholesale.service', 'utf8');
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(valueOf('ExecStart')).toBe(`/usr/bin/${scripts['start:prod']!.replace('exec ', '')}`);
    const { shutdownGraceSeconds } = readSettings({});
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(shutdownGraceSeconds);
    // The service stops its own database last.
    expect(valueOf('KillMode')).toBe('mixed');
    expect([valueOf('User'), valueOf('Environment')]).toEqual(['wholesale', 'NODE_ENV=production']);
  });

  it('has a systemd unit that gives it only the rights that it needs', async () => {
    const lines = (await readFile('docs/wholesale.service', 'utf8')).split('\n');
    expect(lines).toEqual(expect.arrayContaining(CONFINEMENT));
    expect(lines).toContainEqual(expect.stringMatching(/^MemoryMax=\d+G$/));
    // V8 writes code and runs it.
    expect(lines.join('\n')).not.toContain('MemoryDenyWriteExecute');
  });

  it('announces the build, and builds once, and again if a build broke off', async () => {
    const checkout = await mkdtemp(join(tmpdir(), 'wholesale-checkout-'));
    const files = {
      'src/main.ts': 'let a: 1;',
      'src/main.spec.ts': '',
      'src/logo.svg': '',
      'ormconfig.ts': '',
      'package-lock.json': '',
    };
    await mkdir(join(checkout, 'src'));
    for (const [file, text] of Object.entries(files)) await writeFile(join(checkout, file), text);
    await copyFile('.swcrc', join(checkout, '.swcrc'));
    const script = fileURLToPath(new URL('../../scripts/build-if-stale.mjs', import.meta.url));
    const build = async () =>
      (await promisify(execFile)(process.execPath, [script], { cwd: checkout })).stdout;
    expect([await build(), await build()]).toEqual(['Building…\n', '']);
    await rm(join(checkout, 'dist/complete'));
    expect([await build(), await build()]).toEqual(['Building…\n', '']);
    expect((await readdir(join(checkout, 'dist/src'))).toSorted()).toEqual(['logo.svg', 'main.js']);
    expect(await readFile(join(checkout, 'dist/src/main.js'), 'utf8')).toContain('let a;');
    await rm(checkout, { recursive: true });
  });

  withTerminals('prints a working curl line and sign-in on a terminal', async () => {
    const onTerminal = ServiceProcess.spawnOnTerminal({ DATA_DIR: dataDir });
    await onTerminal.listening();
    const line = await eventually(() => /^curl .*$/m.exec(onTerminal.output)?.[0]);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ status: true });
    const { output } = onTerminal;
    const displayed = (what: string) => new RegExp(`^ {2}${what} +(\\S+)`, 'm').exec(output)![1]!;
    const browser = new Browser(onTerminal.url);
    const signIn = { email: displayed('e-mail address'), password: displayed('password') };
    expect((await browser.post('/dashboard/sign-in', signIn)).headers.location).toBe('/dashboard');
    expect((await browser.get('/dashboard/wallet')).status).toBe(200);
    await onTerminal.end('SIGTERM');
  });

  withTerminals('prints a link on a terminal until there is a first admin, also after a kill', async () => {
    const emptyDir = await makeOpenDirectory('start-first-admin-');
    const onTerminal = () => ServiceProcess.spawnOnTerminal({ DATA_DIR: emptyDir, NODE_ENV: 'production' });
    const codeOf = ({ output }: ServiceProcess) => /\/desk\/link#([\w-]{43})\r?$/m.exec(output)?.[1];
    const killed = onTerminal();
    const old = (await eventually(() => codeOf(killed)))!;
    await killed.end('SIGKILL');

    const second = onTerminal();
    const code = (await eventually(() => codeOf(second)))!;
    const browser = new Browser(second.url);
    expect((await browser.post('/desk/link', { code: old })).text).toContain('Open your link');
    expect((await browser.follow('/desk/link', { code })).text).toContain('the first admin of this desk');
    const password = 'a long first password';
    const chosen = { name: 'Meera', password, again: password };
    const refused = await browser.post('/desk/link/password', { ...chosen, email: 'meera' });
    expect(refused.text).toMatch(/aria-invalid="true" name="email"/);
    const joined = await browser.post('/desk/link/password', { ...chosen, email: ' Meera@House.example ' });
    expect(joined.headers.location).toBe('/desk');
    // Outside a trial no page opens before the second step is set up.
    expect((await browser.get('/desk/settings')).headers.location).toContain('/desk/security');
    expect((await new Browser(second.url).post('/desk/link', { code })).text).toContain('Open your link');
    await second.end('SIGTERM');

    const last = onTerminal();
    await last.listening();
    const signIn = { email: 'meera@house.example', password };
    expect((await new Browser(last.url).post('/desk/sign-in', signIn)).headers.location).toBe('/desk');
    await last.end('SIGTERM');
    expect(codeOf(last)).toBeUndefined();
    await rm(emptyDir, { recursive: true });
  });

  it('reports all wrong settings in one message', async () => {
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
