import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';

const agent = new Agent({ keepAlive: true });

export interface WholeAnswer {
  body: Buffer;
  /** Milliseconds until the head arrived. The body was complete by then. */
  begun: number;
  /** Milliseconds until the last byte arrived. */
  ended: number;
}

/** Reads an answer with plain node:http, which takes less time of its own than fetch. */
export async function readWhole(url: string, headers: Record<string, string>): Promise<WholeAnswer> {
  const askedAt = performance.now();
  const asked = request(url, { headers, agent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const begun = performance.now() - askedAt;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'end');
  return { body: Buffer.concat(chunks), begun, ended: performance.now() - askedAt };
}
