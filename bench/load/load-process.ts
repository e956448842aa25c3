// The generator of load: plain sockets that count bytes. The table shows how busy it was.
// It has a process of its own, so that measuring takes nothing from the measured server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadRequest } from './load.js';
import type { LoadOrder, Seen } from './run-load.js';

const ID = '[<id>]';
const LONGEST_HEAD = 4_096;
const RUN = randomBytes(6).toString('hex');
let ids = 0;

/** All ids have one length, so that the head of a request does not change. */
function newId(): string {
  return `${RUN}-${String(++ids).padStart(9, '0')}`;
}

/** The bytes of a request, or the parts between which an id belongs. */
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
// All connections read into the same memory: what has arrived is counted before the next one reads.
const buffer = Buffer.alloc(256 * 1_024);

/** Asks one question after the other, beginning with the one at this place. */
function converse(place: number): void {
  let sentAt = 0;
  /** Of the answer, once its head has arrived. */
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
  // An error of a connection ends this process, and so fails the row.
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
