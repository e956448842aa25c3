import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { LONGEST_LINE } from '../../src/embedded-postgres/supervisor-messages.js';
import { MOST_STRANGERS } from '../../src/embedded-postgres/supervisor-users.js';
import { DatabaseUser } from '../support/database-user.js';
import { eventually } from '../support/eventually.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { printFigures } from '../support/print-figures.js';
import { RawConnection } from '../support/raw-connection.js';

const MEGABYTE = 'x'.repeat(1_048_576);

const drained = (socket: Socket) => new Promise<void>((resolve) => socket.once('drain', resolve));

/** Any local user can connect to it. */
describe('The port of the supervisor', () => {
  let dataDir: string;
  let user: DatabaseUser;
  let port: string;
  let secret: string;

  beforeAll(async () => {
    dataDir = await makeOpenDirectory('supervisor-');
    user = await DatabaseUser.start(dataDir);
    const file = JSON.parse(await readFile(path.join(dataDir, 'supervisor.json'), 'utf8')) as {
      port: number;
      secret: string;
    };
    port = `tcp://127.0.0.1:${file.port}`;
    secret = file.secret;
  });

  afterAll(async () => {
    await DatabaseUser.detachAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Its users still have the same one, and it takes in another. */
  async function stillServes(): Promise<void> {
    const { supervisorPid, postgresPid } = user.attached;
    const another = await DatabaseUser.start(dataDir);
    for (const facts of [await user.facts(), another.attached])
      expect(facts).toMatchObject({ supervisorPid, postgresPid });
    await another.detach();
  }

  /** As long as anybody listens; returns how much left this process. */
  async function pour(connection: RawConnection, megabytes: number): Promise<number> {
    for (let sent = 0; sent < megabytes && connection.isOpen; sent++) {
      if (!connection.socket.write(MEGABYTE))
        await Promise.race([drained(connection.socket), connection.closed]);
    }
    await connection.closed;
    return connection.socket.bytesWritten;
  }

  const peakMegabytes = () => {
    const status = readFileSync(`/proc/${user.attached.supervisorPid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1_024;
  };

  it.each(['before the greeting', 'after it'])('keeps no line without an end: %s', async (when) => {
    const before = process.platform === 'linux' ? peakMegabytes() : 0;
    const greeting = when === 'after it' ? `${JSON.stringify({ greet: { secret, dataDir } })}\n` : '';
    const connection = await RawConnection.open(port, greeting);
    if (greeting) await eventually(() => connection.received.includes('welcome'));
    const sent = await pour(connection, 515);
    const growth = process.platform === 'linux' ? peakMegabytes() - before : 0;
    printFigures(`a line of 515 MB to the supervisor ${when}`, {
      'hung up after MB': sent / 1_048_576,
      'memory grew by MB': growth,
    });
    expect(growth).toBeLessThan(64);
    await stillServes();
  });

  it.each([
    ['half of the secret', () => ({ greet: { secret: secret.slice(1), dataDir } })],
    ['the secret of another DATA_DIR', () => ({ greet: { secret, dataDir: `${dataDir}-copy` } })],
    ['no secret', () => ({ greet: {} })],
    ['a wish before the greeting', () => ({ leave: true })],
    ['a line that is no object', () => null],
    ['a line that is too long', () => ({ greet: { secret, dataDir, more: 'x'.repeat(LONGEST_LINE) } })],
  ])('hangs up without a word on %s, whatever follows', async (_, message) => {
    const right = JSON.stringify({ greet: { secret, dataDir } });
    const connection = await RawConnection.open(port, `${JSON.stringify(message())}\n${right}\n`);
    await connection.closed;
    expect(connection.received).toBe('');
    await stillServes();
  });

  it('welcomes who only looks whether anybody is there, and tells them nothing that is for its users', async () => {
    const greeting = { greet: { secret, dataDir, onlyLooks: true } };
    const connection = await RawConnection.open(port, `${JSON.stringify(greeting)}\n`);
    await connection.closed;
    expect(connection.received).toBe('{"welcome":true}\n');
    await stillServes();
  });

  it('holds so many silent connections and no more, and takes its users in among them', async () => {
    const silent: RawConnection[] = [];
    for (let more = 0; more < 3 * MOST_STRANGERS; more++) silent.push(await RawConnection.open(port));
    const open = () => silent.filter(({ isOpen }) => isOpen).length;
    await eventually(() => open() <= MOST_STRANGERS);
    printFigures('silent connections to the supervisor', { opened: silent.length, held: open() });
    await stillServes();
    for (const connection of silent) connection.end();
  });
});
