import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../errors/api-error.js';
import { errorBody } from './error-body.js';

/** What is not HTTP never becomes a request, so no filter sees it. Its sender gets the one error body all the same. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(toApiError(error)), () => socket.destroy());
  });
}

function toApiError(error: NodeJS.ErrnoException): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', 'The request headers are too large.');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request took too long to arrive.');
  return new ApiError('malformed_request', 'This is not well-formed HTTP.');
}

function rawAnswer(error: ApiError): string {
  const id = randomUUID();
  const body = JSON.stringify(errorBody(error, id));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
