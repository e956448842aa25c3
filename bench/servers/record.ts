import { request } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { LoadRequest } from '../load/load.js';
import type { Recording } from '../references/recording.js';

/** Headers that node:http sets. */
const NOT_OURS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Requests once and stores the bytes of the answer, compressed if they came so. */
export async function record(url: string, { path, headers }: LoadRequest, file: string): Promise<Recording> {
  const asked = request(url + path, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const recording: Recording = {
    status: response.statusCode!,
    headers: Object.fromEntries(
      Object.entries(response.headers)
        .filter(([name]) => !NOT_OURS.has(name))
        .map(([name, value]) => [name, String(value)]),
    ),
    bodyBase64: (await buffer(response)).toString('base64'),
  };
  await writeFile(file, JSON.stringify(recording));
  return recording;
}
