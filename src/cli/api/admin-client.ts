import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { TimeZone } from '../../platform/time/time.js';
import { VERSION } from '../../platform/version.js';
import { type Connection, NoServiceError } from './connection.js';

/** What the service says, word for word. */
export class RefusedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const MAX_FAULTS = 20;

/** Nothing was sent. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

interface ErrorBody {
  code: string;
  message: string;
  errors?: { field: string; message: string; line?: number }[];
}

export interface AdminRequest {
  method: string;
  /** With its query. */
  path: string;
  accept?: string | undefined;
  headers?: Record<string, string>;
  body?: object | undefined;
  file?: { type: string; content: Readable } | undefined;
}

/** Sends requests to the admin API of a service. */
export class AdminClient {
  /** Of the days of the service, as its last answer says. */
  timeZone: TimeZone = 'UTC';

  constructor(
    private readonly connection: Connection,
    /** How the person typed a field of the request. */
    private readonly typedAs: (field: string) => string = (field) => field,
  ) {}

  async json<Answer>(request: AdminRequest): Promise<Answer> {
    return JSON.parse(await text(Readable.from(await this.send(request)))) as Answer;
  }

  /** The body of the answer. One that breaks off is refused. */
  async send({
    method,
    path,
    accept,
    headers,
    body,
    file,
  }: AdminRequest): Promise<AsyncIterable<Uint8Array>> {
    const { url, key } = this.connection;
    const json = body && JSON.stringify(body);
    const type = file?.type ?? (json && 'application/json');
    const { default: http } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
    const request = http.request(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        Authorization: `Bearer ${key}`,
        Accept: accept ?? 'application/json',
        'User-Agent': `wholesale/${VERSION}`,
        ...(type && { 'Content-Type': type }),
        ...(json && { 'Content-Length': Buffer.byteLength(json) }),
      },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', (cause: NodeJS.ErrnoException) => reject(this.lost(cause)));
    });
    // A refusal may come before the file is sent.
    if (file) pipeline(file.content, request).catch(() => undefined);
    else request.end(json);
    const answer = await answered;
    this.timeZone = [answer.headers['x-time-zone']].flat()[0] ?? this.timeZone;
    const whole = this.wholeOf(answer);
    if (answer.statusCode! >= 400) throw this.refusalOf(answer.statusCode!, await text(Readable.from(whole)));
    return whole;
  }

  private async *wholeOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      yield* answer as AsyncIterable<Uint8Array>;
    } catch (cause) {
      throw this.lost(cause as NodeJS.ErrnoException);
    }
  }

  private lost({ code, message }: NodeJS.ErrnoException): Error {
    const { url } = this.connection;
    if (code === undefined || !UNREACHABLE.includes(code))
      return new RefusedError('unavailable', `${url} broke off (${message}). What was asked may be done.`);
    const advice = 'Start it there with "npm start", or name another one: "wholesale login <url>".';
    return new NoServiceError(`No service answers at ${url} (${code}). ${advice}`);
  }

  private refusalOf(status: number, body: string): RefusedError {
    let error: Partial<ErrorBody> = {};
    try {
      error = JSON.parse(body) as Partial<ErrorBody>;
    } catch {
      // Not the service, but something before it.
    }
    const { code = 'unavailable', message = `The answer of ${this.connection.url} is ${status}.` } = error;
    const { errors = [] } = error;
    const faults = errors
      .slice(0, MAX_FAULTS)
      .map(({ line, field, message: reason }) =>
        line === undefined ? `${this.typedAs(field)}: ${reason}` : `Row ${line}: ${field} ${reason}`,
      );
    const more = errors.length > MAX_FAULTS ? ['… and more.'] : [];
    return new RefusedError(code, [message, ...faults, ...more].join('\n'));
  }
}
