import { createServer } from 'node:http';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { CustomResponse, sendJson, sendRepresentation } from './send-answer.js';
import { appMessages, type TimedResponse, type Traffic } from './app-messages.js';
import { MAX_HEAD_KILOBYTES } from './answer-broken-requests.js';
import { cutUnreadAnswers, serializeRequests } from './connections.js';
import type { ApiRequest } from './api-request.js';
import { ExtendedRepresentation, Representation } from './representation.js';

const SERVER_OPTIONS = {
  // 500 SKUs of 64 characters fit into the query, and of 40 if all of them are percent-encoded.
  maxHeaderSize: MAX_HEAD_KILOBYTES * 1_024,
  // Longer than the 60 s for which balancers keep a connection, so that the service never closes one under a
  // request.
  keepAliveTimeout: 65_000,
  // Both count from the first byte of a request. Node would swap the two if the head had more time than the
  // whole (ConnectionsList::Expired in node_http_parser.cc).
  headersTimeout: 30_000,
  requestTimeout: 30_000,
  /** How often Node checks the timeouts, and so how late they may strike. */
  connectionsCheckingInterval: 5_000,
  // Requests without a Host get our error body, not Node's empty one.
  requireHostHeader: false,
  // A repeated single header becomes one odd value. Node would take the first, and a proxy may have checked
  // the last.
  joinDuplicateHeaders: true,
};

/**
 * Express changes the prototype of every request and response. V8 then uses its slow path, which costs three
 * quarters of the throughput. Here the server creates them with the app's prototypes, so that Express changes
 * nothing.
 */
export class FastExpressAdapter extends ExpressAdapter {
  private readonly traffic: Traffic = { draining: false, answered: () => undefined };

  constructor() {
    super(createExpress());
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const server = createServer(
      { ...SERVER_OPTIONS, ...appMessages(app, this.traffic) },
      serializeRequests(app),
    );
    cutUnreadAnswers(server);
    // A connection that cannot be accepted must not end the process. Nest hears the errors before.
    const log = new Logger(FastExpressAdapter.name);
    server.once('listening', () => server.on('error', (error) => log.error(String(error))));
    this.setHttpServer(server);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    // The client is gone.
    if (response.destroyed) return response.status(status ?? response.statusCode).end();
    if (body instanceof Representation) return sendRepresentation(response, withIgnored(response, body));
    if (isPlain(body)) return sendJson(response, body, status);
    if (body instanceof CustomResponse) return body.send(response);
    return super.reply(response, body, status) as unknown;
  }

  /** The observer sees every answer. */
  observe(observer: (response: TimedResponse) => void): void {
    this.traffic.answered = observer;
  }

  /** From now on every answer is the last one on its connection. New connections are still accepted. */
  drain(): void {
    this.traffic.draining = true;
  }
}

/** Strict routing must be set before Express makes its router, which Nest's constructor requests. */
function createExpress(): Express {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('x-powered-by');
  // Answers that a client may keep have an ETag of their own, made from their content and not from their
  // bytes.
  app.disable('etag');
  return app;
}

function withIgnored({ req }: Response, body: Representation): Representation {
  const { checkedQuery } = req as ApiRequest;
  if (!checkedQuery?.isOfList || checkedQuery.ignored.length === 0) return body;
  return new ExtendedRepresentation(body, { ignored_parameters: checkedQuery.ignored });
}

/** JSON of a controller. Streams, buffers and the like are left to Nest. */
function isPlain(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || Array.isArray(body);
}
