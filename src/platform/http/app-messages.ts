import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

/** Names and values in turn, as Node takes them in one go. */
export type HeaderLines = readonly (string | number)[];

/** A response that knows how long it has been in the making. */
export interface TimedResponse extends ServerResponse {
  /** In milliseconds of `performance.now()`. */
  readonly beganAt: number;
  /**
   * What the head of the answer says first, whoever makes it: which request it is, and what is left of the client's limit. Whoever makes the answer
   * hands the other lines over with the status. As long as none was set by itself, Node writes them all as they are.
   */
  requestLines: HeaderLines;
  limitLines: HeaderLines;
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

const NO_LINES: HeaderLines = [];

const LAST_ONE: HeaderLines = ['Connection', 'close'];

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
