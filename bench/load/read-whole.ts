import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';

const agent = new Agent({ keepAlive: true });

/** Reads an answer by plain node:http, which adds less of its own time than fetch does. */
export async function readWhole(url: string, headers: Record<string, string>): Promise<Buffer> {
  const asked = request(url, { headers, agent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'end');
  return Buffer.concat(chunks);
}
