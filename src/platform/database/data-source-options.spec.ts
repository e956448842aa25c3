import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { dataSourceOptions } from './data-source-options.js';

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

describe('A connection of the pool, when the server ends in the packet of an answer,', () => {
  let server: Server;
  let answers: Buffer[];
  let pool: pg.Pool;

  beforeEach(async () => {
    server = createServer((socket: Socket) => {
      const sent = [...answers];
      socket.on('data', () => socket.write(sent.shift()!));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `postgres://user:word@127.0.0.1:${(server.address() as AddressInfo).port}/name`;
    const options = dataSourceOptions({ url, poolSize: 1, timeoutMs: 2_000 });
    pool = new pg.Pool({ connectionString: options.url, max: options.poolSize, ...options.extra });
    pool.on('error', () => undefined);
  });

  afterEach(async () => {
    await pool.end();
    server.close();
  });

  it('fails only the statement of whoever was about to get it, as a new one', async () => {
    answers = [Buffer.concat([WELCOME, READY, LOST])];
    const client = await pool.connect();
    await expect(client.query('SELECT')).rejects.toThrow(/not queryable|unexpected postmaster exit/);
    client.release(true);
  });

  it('fails only the statement of whoever was about to get it, as one that waited', async () => {
    answers = [Buffer.concat([WELCOME, READY]), Buffer.concat([DONE, READY, LOST])];
    const [, client] = await Promise.all([pool.query('SELECT'), pool.connect()]);
    await expect(client.query('SELECT')).rejects.toThrow(/not queryable|unexpected postmaster exit/);
    client.release(true);
  });
});
