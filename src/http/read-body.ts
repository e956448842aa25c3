import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';

export const MAX_BODY_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?;?$/i;

/** The bytes of a JSON body; none at all if the request has no body. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === undefined || length === '0')) return Buffer.alloc(0);
  checkType(request);
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge();

  return await readChunks(request);
}

async function readChunks(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The socket must outlive the loop: it still has to carry the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError('malformed_request', 'The body broke off.', { cause });
  }
  return Buffer.concat(chunks, size);
}

function checkType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must not be compressed.');
  }
  if (!JSON_TYPE.test(headers['content-type']?.trim() ?? '')) {
    throw new ApiError(
      'unsupported_media_type',
      'Send the body as "Content-Type: application/json", in UTF-8.',
    );
  }
}

function tooLarge(): ApiError {
  return new ApiError('body_too_large', `The body may have at most ${MAX_BODY_BYTES / 1024} KB.`);
}
