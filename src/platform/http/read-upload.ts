import type { IncomingHttpHeaders, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { DomainError } from '../errors/domain-error.js';
import { isStorableText } from '../validation/texts.js';
import type { ApiRequest } from './api-request.js';
import type { FormFields } from './parse-form.js';
import { askForBody, refuseUnreadableBody, checkType } from './read-body.js';

interface ParserEvents {
  field: [name: string, value: string, info: { valueTruncated: boolean }];
  file: [name: string, file: Readable, info: { filename?: string }];
  fieldsLimit: [];
  filesLimit: [];
  partsLimit: [];
  close: [];
  error: [error: Error];
}

interface Parser extends Writable {
  on<Event extends keyof ParserEvents>(event: Event, listener: (...args: ParserEvents[Event]) => void): this;
}

interface ParserOptions {
  headers: IncomingHttpHeaders;
  defParamCharset: 'utf8';
  limits: Record<'fields' | 'fieldSize' | 'files' | 'fileSize' | 'parts', number>;
}

/** The package has no types. */
const busboy = createRequire(import.meta.url)('busboy') as (options: ParserOptions) => Parser;

/** The file of a form, and the fields before it. */
interface UploadedFile {
  fields: FormFields;
  /** As the browser sent it. Undefined if no file was chosen. */
  name: string | undefined;
  /** Ends without an error only if the whole form has arrived. */
  bytes: AsyncIterable<Buffer>;
}

const FORM = 'multipart/form-data';

/** For the fields and the borders of the parts. */
const MAX_FORM_BYTES = 64 * 1_024;

const LIMITS = { fields: 20, fieldSize: 2_000, files: 1, parts: 22 };

/** A sender that pauses longer is gone. */
const MAX_PAUSE_MS = 30_000;

/** Time for 100 MB at 1 Mbit/s. */
const MAX_UPLOAD_MS = 15 * 60_000;

/**
 * Reads a form with one file as a stream: memory holds one chunk. `take` gets the file when it begins.
 * If `take` fails, or the form is too large, broken or cut off, the rest is not kept.
 */
export async function readUpload<Result>(
  request: ApiRequest,
  maxBytes: number,
  take: (file: UploadedFile) => Promise<Result>,
): Promise<Result> {
  refuseUnreadableBody(request);
  checkType(request, FORM);
  if (Number(request.headers['content-length']) > maxBytes + MAX_FORM_BYTES) throw tooLarge(maxBytes);
  const parser = parserOf(request, maxBytes);
  if (request.goesOnAfterBody !== undefined) askForBody(request.res!, request.goesOnAfterBody);
  const restoreTimeout = extendTimeout(request);
  const fields: FormFields = {};
  let open: Readable | undefined;
  let taken: Promise<Result> | undefined;
  try {
    const whole = new Promise<void>((resolve, reject) => {
      const pause = setTimeout(() => reject(broken('The upload stopped.')), MAX_PAUSE_MS);
      const tooMany = () => reject(broken('A form may have one file and 20 fields.', 'body_too_complex'));
      parser.on('field', (name, value, { valueTruncated }) => {
        if (valueTruncated || !isStorableText(name + value))
          return reject(broken('A field is too long, or has characters that are not allowed.'));
        fields[name] = value;
      });
      parser.on('file', (_, file, { filename: name }) => {
        open = file;
        file.once('limit', () => reject(tooLarge(maxBytes)));
        file.once('error', (error) => reject(toUploadError(error)));
        taken = take({ fields, name, bytes: bytesOf(file, whole) });
        taken.catch(reject);
      });
      parser.on('filesLimit', tooMany).on('fieldsLimit', tooMany).on('partsLimit', tooMany);
      parser.on('error', () => reject(broken('The form is not well-formed, or was interrupted.')));
      parser.on('close', resolve);
      request.on('data', () => pause.refresh());
      request.once('close', () => {
        clearTimeout(pause);
        if (!request.complete) reject(broken('The upload was interrupted.'));
      });
      request.pipe(parser);
    });
    await whole;
    if (!taken) throw broken('The form has no file.');
    return await taken;
  } catch (error) {
    request.unpipe(parser);
    open?.destroy(error as Error);
    parser.destroy();
    // A browser shows the answer only once it has sent all, or as much as it can before the time is over.
    request.resume();
    await taken?.catch(() => undefined);
    throw error;
  } finally {
    restoreTimeout();
  }
}

/**
 * The bytes of a body that is a file. They end without an error only if the whole file has arrived. A reader
 * that stops early does not close the connection, so its refusal is answered.
 */
export async function* readFileBody(request: ApiRequest, maxBytes: number): AsyncGenerator<Buffer> {
  refuseUnreadableBody(request);
  if (/^\s*multipart\//i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('unsupported_media_type', 'Send the file itself as the body, not a form.');
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  if (request.goesOnAfterBody !== undefined) askForBody(request.res!, request.goesOnAfterBody);
  const restoreTimeout = extendTimeout(request);
  const chunks = request.iterator({ destroyOnReturn: false });
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await beforePause(chunks.next() as Promise<IteratorResult<Buffer>>);
      if (done) break;
      if ((size += value.length) > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
    if (!request.complete) throw broken('The upload was interrupted.');
  } catch (error) {
    throw toUploadError(error);
  } finally {
    restoreTimeout();
    // As for a form. After a pause the iterator still waits, and Node ends the connection.
    void chunks.return?.().then(() => request.resume());
  }
}

async function beforePause<Result>(next: Promise<Result>): Promise<Result> {
  let pause: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_, reject) => {
    pause = setTimeout(() => reject(broken('The upload stopped.')), MAX_PAUSE_MS);
  });
  try {
    return await Promise.race([next, stopped]);
  } finally {
    clearTimeout(pause);
  }
}

async function* bytesOf(file: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } catch (error) {
    throw toUploadError(error);
  }
  await whole;
}

function parserOf({ headers }: ApiRequest, maxBytes: number) {
  try {
    // The parser calls a file of exactly the limit too large.
    const limits = { ...LIMITS, fileSize: maxBytes + 1 };
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch (cause) {
    throw new DomainError('malformed_request', 'The form does not name the boundary of parts.', { cause });
  }
}

/** Uploads in progress, by server. */
const uploads = new WeakMap<Server, { count: number; normalTimeout: number }>();

/**
 * Node has one time limit for all requests of a server. While a person uploads a file, all have more time:
 * anonymous callers can still not send much (see UnfinishedBodies).
 */
function extendTimeout({ socket }: ApiRequest): () => void {
  const { server } = socket as Socket & { server: Server };
  const state = uploads.get(server) ?? { count: 0, normalTimeout: server.requestTimeout };
  uploads.set(server, state);
  state.count++;
  server.requestTimeout = MAX_UPLOAD_MS;
  return () => {
    if (--state.count === 0) server.requestTimeout = state.normalTimeout;
  };
}

/** The parser ends an interrupted file with an error of its own. */
function toUploadError(error: unknown): DomainError {
  return error instanceof DomainError ? error : broken('The upload was interrupted.');
}

function tooLarge(maxBytes: number): DomainError {
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return new DomainError('body_too_large', `The file may have at most ${megabytes} MB.`);
}

function broken(message: string, code: 'malformed_request' | 'body_too_complex' = 'malformed_request') {
  return new DomainError(code, message);
}
