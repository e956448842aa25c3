import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The time to wait for an answer. */
  patienceMs?: number;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Uses a new connection, whereas `fetch` reuses an open one. */
export async function askAlone(url: string, question: Question): Promise<Answered> {
  const { method, headers, body, patienceMs = 15_000 } = question;
  const sent = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const asked = request(url, {
    method,
    agent: false,
    headers: { ...headers, ...sent },
    signal: AbortSignal.timeout(patienceMs),
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return { status: answer.statusCode!, headers: answer.headers };
}
