import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { Allowance } from '../limits/allowance.js';

/** Names and values alternate, as Node takes them. */
export type HeaderLines = (string | number)[];

/** A response that knows when its request began. */
export interface TimedResponse extends ServerResponse {
  /** In milliseconds of `performance.now()`. */
  readonly beganAt: number;
  /**
   * The first header lines of every answer, such as the request id. The limit and the lines that are passed
   * with the status follow. Node writes them all unchanged as long as no header was set singly.
   */
  readonly lines: HeaderLines;
  /** The limit that the answer reports. */
  limit: Allowance | undefined;
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
    readonly lines: HeaderLines = [];
    limit: Allowance | undefined = undefined;
    private over: (() => void) | undefined = undefined;

    whenOver(callback: () => void): void {
      this.over = callback;
    }

    /** Takes lines alone: the answers of this service pass nothing else. */
    override writeHead(status: number, others?: unknown): this {
      const { lines, limit } = this;
      if (limit) {
        lines.push('RateLimit-Limit', limit.perMinute, 'RateLimit-Remaining', limit.remaining);
        lines.push('RateLimit-Reset', limit.secondsUntilFull);
      }
      if (traffic.draining) lines.push('Connection', 'close');
      if (others !== undefined) for (const part of others as HeaderLines) lines.push(part);
      return super.writeHead(status, lines);
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
