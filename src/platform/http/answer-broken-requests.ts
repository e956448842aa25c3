import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import type { ApiRequest } from './api-request.js';
import { notHttp } from './read-body.js';
import { errorBody } from './send-answer.js';

/** The address of a request and its headers together. */
export const MAX_HEAD_KILOBYTES = 64;

/** Node's own error answers bypass all filters. This gives them the one error body. */
export function answerBrokenRequests(server: Server): void {
  server.on('checkContinue', (request: ApiRequest, response: ServerResponse) => {
    // The body is requested when a handler reads it. Until then it may never come, so the connection ends
    // here.
    request.goesOnAfterBody = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
  // Refused like any other request.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const pending = pendingAnswerOn(socket);
    if (pending) {
      // Its handler may not have asked for the body yet, which would never end.
      const request = pending.req as ApiRequest;
      request.isBroken = !request.complete;
      closeAfter(pending, socket);
    } else socket.end(rawAnswer(toDomainError(error)), () => socket.destroy());
  });
}

/**
 * A private field of Node, which Node's default handler uses too. No public API returns the next answer of a
 * socket.
 */
type CarryingSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * The answer in progress. A request whose body is still being read has none: it is the broken one, and no
 * work was done for it.
 */
function pendingAnswerOn({ _httpMessage: response }: CarryingSocket): ServerResponse | undefined {
  if (!response) return undefined;
  const { complete, readableFlowing } = response.req;
  return complete || !readableFlowing ? response : undefined;
}

/**
 * Lets the answer leave, because it may report finished work, such as a placed order. Later requests of this
 * connection are not started.
 */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  response.once('close', () => socket.destroySoon());
}

function toDomainError(error: NodeJS.ErrnoException): DomainError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new DomainError(
      'headers_too_large',
      `The address and the headers may have at most ${MAX_HEAD_KILOBYTES} KB together.`,
    );
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DomainError('request_timeout', 'The request took too long to arrive.');
  if (error.code === 'HPE_INVALID_URL')
    return new DomainError(
      'malformed_request',
      'The address has a character that must be percent-encoded, such as a letter with an accent.',
    );
  return notHttp();
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
