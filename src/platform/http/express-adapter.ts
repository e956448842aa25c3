import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Answer, sendJson, sendRepresentation } from './send-answer.js';
import { appMessages, type TimedResponse, type Traffic } from './app-messages.js';
import { cutUnreadAnswers, inTurn } from './connections.js';
import { Representation } from './representation.js';

const SERVER_OPTIONS = {
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
  // A repeated single header becomes one odd value. Node would take the first, and a proxy may have judged by
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
  private readonly sockets = new Set<Socket>();
  private closing = false;

  constructor() {
    super(createExpress());
  }

  override initHttpServer(options: NestApplicationOptions): void {
    const app = this.getInstance<Express>();
    const settings = { ...SERVER_OPTIONS, ...appMessages(app, this.traffic) };
    const server = options?.httpsOptions
      ? createSecureServer({ ...options.httpsOptions, ...settings }, inTurn(app))
      : createServer(settings, inTurn(app));
    cutUnreadAnswers(server as Server);
    this.setHttpServer(server as Server);
    if (options?.return503OnClosing)
      app.use((_, response, next) => (this.closing ? refuse(response) : next()));
    if (options?.forceCloseConnections) server.on('connection', (socket: Socket) => this.track(socket));
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    // The client is gone.
    if (response.destroyed) return response.status(status ?? response.statusCode).end();
    if (body instanceof Representation) return sendRepresentation(response, body);
    if (isPlain(body)) return sendJson(response, body, status);
    if (body instanceof Answer) return body.send(response);
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

  override beforeClose(): void {
    this.closing = true;
    super.beforeClose();
  }

  override close(): Promise<unknown> | undefined {
    this.closing = true;
    for (const socket of this.sockets) socket.destroy();
    return super.close() as Promise<unknown> | undefined;
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
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
  app.set('query parser', 'simple');
  return app;
}

function refuse(response: Response): void {
  response.set('Connection', 'close').status(503).send('Service Unavailable');
}

/** JSON of a controller. Streams, buffers and the like are left to Nest. */
function isPlain(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || Array.isArray(body);
}
