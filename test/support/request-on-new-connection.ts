import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The time to wait for an answer. */
  timeoutMs?: number;
}

export interface ResponseHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Uses a new connection, whereas `fetch` reuses an open one. */
export async function requestOnNewConnection(url: string, options: RequestOptions): Promise<ResponseHead> {
  const { method, headers, body, timeoutMs = 15_000 } = options;
  const sent = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const outgoing = request(url, {
    method,
    agent: false,
    headers: { ...headers, ...sent },
    signal: AbortSignal.timeout(timeoutMs),
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return { status: answer.statusCode!, headers: answer.headers };
}
