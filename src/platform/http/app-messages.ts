import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

/** A response that knows how long it has been in the making. */
export interface TimedResponse extends ServerResponse {
  /** In milliseconds of `performance.now()`. */
  readonly beganAt: number;
  /** Has this called once: when the answer was made, however long it then takes to leave, and whether anybody is there to take it. */
  whenOver(callback: () => void): void;
}

/** What the server does with every answer, whoever made it. */
export interface Traffic {
  /** About to stop: whoever asks is told to use another connection, and so another node, for the next request. */
  draining: boolean;
  /** Called once for each answer, when it was handed to the socket. */
  answered(response: TimedResponse): void;
}

/**
 * The classes of which the server makes requests and responses, born with the app's own prototypes, so that Express finds
 * nothing to change. Every answer passes `end`, which costs less than a listener for each.
 */
export function appMessages(
  app: Express,
  traffic: Traffic,
): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Of extends IncomingMessage> extends ServerResponse<Of> implements TimedResponse {
    readonly beganAt = performance.now();
    private over: (() => void) | undefined = undefined;

    whenOver(callback: () => void): void {
      this.over = callback;
    }

    override end(chunk?: unknown, encoding?: unknown, done?: () => void): this {
      const isFirst = !this.writableEnded;
      if (traffic.draining && !this.headersSent) this.setHeader('Connection', 'close');
      super.end(chunk, encoding as BufferEncoding, done);
      if (!isFirst) return this;
      traffic.answered(this);
      this.over?.();
      return this;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request as Request);
  Object.setPrototypeOf(AppResponse.prototype, app.response as Response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as unknown as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
