// The load generator: plain sockets that count bytes. It runs in its own process, so that it takes no time
// from the measured server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadOrder, LoadResult } from './compare.js';
import type { LoadRequest } from './loads.js';

const ID = '[<id>]';
const MAX_HEAD_LENGTH = 4_096;
const RUN = randomBytes(6).toString('hex');
let ids = 0;

/** All ids have the same length, so that the head of a request stays the same. */
function newId(): string {
  return `${RUN}-${String(++ids).padStart(9, '0')}`;
}

const [{ url, seconds, load }] = (await once(process, 'message')) as [LoadOrder];
const { hostname, port, host } = new URL(url);
const writers = load.requests.map(({ path, headers, body }: LoadRequest) => {
  const length = body === undefined ? undefined : Buffer.byteLength(body.replace(ID, newId()));
  const lines = Object.entries({ Host: host, ...headers, ...(length && { 'Content-Length': length }) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bytes = Buffer.from(`${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${head}\r\n`);
  return body === undefined ? () => bytes : () => bytes + body.replace(ID, newId());
});
let refused = 0;
const latencies: number[] = [];
// All connections read into the same buffer: the bytes are counted before the next connection reads.
const buffer = Buffer.alloc(256 * 1_024);

/** Sends one request after the other, starting at this index. */
function converse(place: number): void {
  let sentAt = 0;
  /** The remaining bytes of the answer after its head. */
  let bytesLeft = 0;
  let head = '';
  let isRefused = false;
  const ask = () => {
    sentAt = performance.now();
    socket.write(writers[place++ % writers.length]!());
  };
  const callback = (length: number): boolean => {
    if (bytesLeft > 0) bytesLeft -= length;
    else {
      const known = head.length;
      head += buffer.toString('latin1', 0, Math.min(length, MAX_HEAD_LENGTH));
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return true;
      isRefused = head.startsWith('503', 9);
      const size = head.startsWith('304', 9) ? '0' : /\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (size === undefined || (!isRefused && !/^(20|304)/.test(head.slice(9))))
        throw new Error(`An answer that is no success, or has no length:\n${head}`);
      bytesLeft = Number(size) - (known + length - end - 4);
      head = '';
    }
    if (bytesLeft > 0) return true;
    if (isRefused) refused++;
    else latencies.push(performance.now() - sentAt);
    ask();
    return true;
  };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
  // An error of a connection ends this process, so the row fails.
  socket.on('end', () => {
    throw new Error(`The server closed a connection: ${url}`);
  });
  ask();
}

const beganAt = performance.now();
const before = process.cpuUsage();
for (let n = 0; n < load.connections; n++) converse(Math.floor((n * writers.length) / load.connections));
setTimeout(() => {
  const elapsed = performance.now() - beganAt;
  const { user, system } = process.cpuUsage(before);
  const sorted = Float64Array.from(latencies).sort();
  const result: LoadResult = {
    answers: sorted.length,
    seconds: elapsed / 1_000,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? elapsed,
    busy: (user + system) / 1_000 / elapsed,
    refused,
  };
  process.send!(result, () => process.exit());
}, seconds * 1_000);
