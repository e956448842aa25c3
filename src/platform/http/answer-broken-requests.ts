import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import type { ApiRequest } from './api-request.js';
import { errorBody } from './send-answer.js';

/** What Node answers by itself never reaches a filter. Its sender gets the one error body all the same. */
export function answerBrokenRequests(server: Server): void {
  server.on('checkContinue', (request: ApiRequest, response: ServerResponse) => {
    // The body is asked for when somebody wants to read it. Until then it may never come, and the connection ends here.
    request.goesOnAfterBody = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
  // Refused like any other request, in its turn.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(toDomainError(error)), () => socket.destroy());
  });
}

function toDomainError(error: NodeJS.ErrnoException): DomainError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new DomainError('headers_too_large', 'The request headers are too large.');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DomainError('request_timeout', 'The request took too long to arrive.');
  return new DomainError('malformed_request', 'This is not well-formed HTTP.');
}

function rawAnswer(error: DomainError): string {
  const id = randomUUID();
  const status = statusOf(error.code);
  const body = JSON.stringify(errorBody(error, id));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
