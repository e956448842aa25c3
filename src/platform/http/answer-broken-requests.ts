import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
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
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const begun = beganOn(socket);
    if (begun) leaveLast(begun, socket);
    else socket.end(rawAnswer(toDomainError(error)), () => socket.destroy());
  });
}

/** Node's own, by which it decides the same in its default; nothing public tells which answer a socket is to carry next. */
type CarryingSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * The answer that is being made, whatever came behind its request. A request whose body is still being read is none: it is the one that is
 * broken, and nothing was done for it yet.
 */
function beganOn({ _httpMessage: response }: CarryingSocket): ServerResponse | undefined {
  if (!response) return undefined;
  const { complete, readableFlowing } = response.req;
  return complete || !readableFlowing ? response : undefined;
}

/** It tells what was done, an order placed perhaps. Whoever waits behind it on this connection is not begun any more. */
function leaveLast(response: ServerResponse, socket: Socket): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  response.once('close', () => socket.destroySoon());
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
