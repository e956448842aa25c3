import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { dataSourceOptions } from './data-source-options.js';
import { grantRights } from './migrate.js';

const message = (kind: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
};

const WELCOME = message('R', Buffer.alloc(4));
const READY = message('Z', 'I');
const DONE = message('C', 'SELECT 0\0');
const LOST = message(
  'E',
  'SFATAL\0',
  'C57P01\0',
  'Mterminating connection due to unexpected postmaster exit\0',
  '\0',
);

/** A server that answers each packet by the next of its own, and then goes away. */
describe('A connection whose server ends', () => {
  let server: Server;
  let answers: Buffer[];
  let url: string;

  beforeEach(async () => {
    server = createServer((socket: Socket) => {
      const sent = [...answers];
      socket.on('data', () => (sent.length > 0 ? socket.write(sent.shift()!) : socket.destroy()));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://user:word@127.0.0.1:${(server.address() as AddressInfo).port}/name`;
  });

  afterEach(() => {
    server.close();
  });

  it('during a query of a command fails this query', async () => {
    answers = [Buffer.concat([WELCOME, READY])];
    await expect(grantRights(url)).rejects.toThrow('Connection terminated unexpectedly');
  });

  describe('and says so in the same packet as an answer: only the next statement fails,', () => {
    let pool: pg.Pool;

    beforeEach(() => {
      const options = dataSourceOptions({ url, poolSize: 1, timeoutMs: 2_000 });
      pool = new pg.Pool({ connectionString: options.url, max: options.poolSize, ...options.extra });
      pool.on('error', () => undefined);
    });

    afterEach(() => pool.end());

    it('on a new connection', async () => {
      answers = [Buffer.concat([WELCOME, READY, LOST])];
      const client = await pool.connect();
      await expect(client.query('SELECT')).rejects.toThrow(/not queryable|unexpected postmaster exit/);
      client.release(true);
    });

    it('on a connection that another caller waited for', async () => {
      answers = [Buffer.concat([WELCOME, READY]), Buffer.concat([DONE, READY, LOST])];
      const [, client] = await Promise.all([pool.query('SELECT'), pool.connect()]);
      await expect(client.query('SELECT')).rejects.toThrow(/not queryable|unexpected postmaster exit/);
      client.release(true);
    });
  });
});
