// The load generator: plain sockets that count bytes. The table shows how busy it was. It runs in its own
// process, so that it takes no time from the measured server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadRequest } from './load.js';
import type { LoadOrder, Seen } from './run-load.js';

const ID = '[<id>]';
const LONGEST_HEAD = 4_096;
const RUN = randomBytes(6).toString('hex');
let ids = 0;

/** All ids have the same length, so that the head of a request stays the same. */
function newId(): string {
  return `${RUN}-${String(++ids).padStart(9, '0')}`;
}

/** Returns the bytes of a request, or the parts around the place of the id. */
function toParts({ path, headers, method = 'GET', body = '' }: LoadRequest, host: string): string[] {
  const length = Buffer.byteLength(body.replaceAll(ID, newId()));
  const lines = Object.entries({ Host: host, ...headers, ...(body && { 'Content-Length': String(length) }) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`.split(ID);
}

const [{ url, seconds, load }] = (await once(process, 'message')) as [LoadOrder];
const { hostname, port, host } = new URL(url);
const calls = load.requests.map((request) => {
  const parts = toParts(request, host);
  const bytes = parts.length === 1 ? Buffer.from(parts[0]!) : undefined;
  return { status: request.status ?? 200, write: () => bytes ?? parts.join(newId()) };
});
const statuses: Record<string, number> = {};
const latencies: number[] = [];
// All connections read into the same buffer: the bytes are counted before the next connection reads.
const buffer = Buffer.alloc(256 * 1_024);

/** Sends one request after the other, starting at this index. */
function converse(place: number): void {
  let sentAt = 0;
  /** The remaining bytes of the answer after its head. */
  let bytesLeft = 0;
  let head = '';
  const ask = () => {
    sentAt = performance.now();
    socket.write(calls[place]!.write());
  };
  const arrived = (): boolean => {
    latencies.push(performance.now() - sentAt);
    place = (place + 1) % calls.length;
    ask();
    return true;
  };
  const callback = (length: number): boolean => {
    if (bytesLeft > 0) {
      bytesLeft -= length;
      return bytesLeft > 0 || arrived();
    }
    const known = head.length;
    head += buffer.toString('latin1', 0, Math.min(length, LONGEST_HEAD));
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return true;
    const status = head.slice(9, 12);
    if (Number(status) !== calls[place]!.status) statuses[status] = (statuses[status] ?? 0) + 1;
    bytesLeft = lengthOf(head, status) - (known + length - end - 4);
    head = '';
    return bytesLeft > 0 || arrived();
  };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
  // An error of a connection ends this process, so the row fails.
  socket.on('end', () => {
    throw new Error(`The server closed a connection: ${url}`);
  });
  ask();
}

function lengthOf(head: string, status: string): number {
  const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== '304') throw new Error(`An answer without a length:\n${head}`);
  return Number(length ?? 0);
}

const beganAt = performance.now();
const before = process.cpuUsage();
for (let n = 0; n < load.connections; n++) converse(Math.floor((n * calls.length) / load.connections));
setTimeout(() => {
  const elapsed = performance.now() - beganAt;
  const { user, system } = process.cpuUsage(before);
  const sorted = Float64Array.from(latencies).sort();
  const seen: Seen = {
    answers: sorted.length,
    seconds: elapsed / 1_000,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? elapsed,
    busy: (user + system) / 1_000 / elapsed,
    statuses,
  };
  process.send!(seen, () => process.exit());
}, seconds * 1_000);
