import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

/** Names and values alternate, as Node takes them. */
type HeaderLines = readonly (string | number)[];

/** A response that knows when its request began. */
export interface TimedResponse extends ServerResponse {
  /** In milliseconds of `performance.now()`. */
  readonly beganAt: number;
  /**
   * The first header lines of every answer: the request id and the client's limit. The other lines are passed
   * with the status. Node writes them all unchanged as long as no header was set singly.
   */
  requestLines: HeaderLines;
  limitLines: HeaderLines;
  /** Calls back once when the answer is made, even if it leaves late or the client is gone. */
  whenOver(callback: () => void): void;
}

/** Applies to every answer. */
export interface Traffic {
  /** About to stop: answers ask clients to use another connection, and so another node. */
  draining: boolean;
  /** Called once for each answer, when it is handed to the socket. */
  answered(response: TimedResponse): void;
}

const NO_LINES: HeaderLines = [];

const LAST_ONE: HeaderLines = ['Connection', 'close'];

/**
 * The classes of the server's requests and responses. They are created with the app's prototypes, so that
 * Express changes nothing. Every answer passes `end`, which is cheaper than a listener for each.
 */
export function appMessages(
  app: Express,
  traffic: Traffic,
): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Of extends IncomingMessage> extends ServerResponse<Of> implements TimedResponse {
    readonly beganAt = performance.now();
    requestLines: HeaderLines = NO_LINES;
    limitLines: HeaderLines = NO_LINES;
    private over: (() => void) | undefined = undefined;

    whenOver(callback: () => void): void {
      this.over = callback;
    }

    override writeHead(status: number, ...rest: unknown[]): this {
      const first = [...this.requestLines, ...this.limitLines, ...(traffic.draining ? LAST_ONE : NO_LINES)];
      const [lines = NO_LINES] = rest;
      if (Array.isArray(lines)) return super.writeHead(status, [...first, ...(lines as (string | number)[])]);
      for (let at = 0; at < first.length; at += 2) this.setHeader(String(first[at]), first[at + 1]!);
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]));
    }

    override end(chunk?: unknown, encoding?: unknown, done?: () => void): this {
      const isFirst = !this.writableEnded;
      super.end(chunk, encoding as BufferEncoding, done);
      if (!isFirst) return this;
      try {
        traffic.answered(this);
      } finally {
        this.over?.();
      }
      return this;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request as Request);
  Object.setPrototypeOf(AppResponse.prototype, app.response as Response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as unknown as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
