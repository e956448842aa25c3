import request, { type CallbackHandler, type Response } from 'supertest';
import { lastRead } from './last-read.js';

const MAX_ANSWERS = 2_000;

const { end } = request.Test.prototype;

/**
 * supertest reports only the number of an unexpected status. This adds the body, which contains the reason.
 */
request.Test.prototype.end = function (this: request.Test, callback?: CallbackHandler) {
  return end.call(this, (error: Error | null, answer: Response) => {
    if (answer) lastRead.answer = `${answer.status} ${answer.text?.slice(0, MAX_ANSWERS)}`;
    if (error && answer)
      appendToMessage(error, `${this.method} ${this.url} → ${answer.text?.slice(0, MAX_ANSWERS)}`);
    callback?.(error, answer);
  });
};

/** Jest prints the stack of an error, which begins with its message. */
function appendToMessage(error: Error, more: string): void {
  const message = `${error.message}\n${more}`;
  error.stack = error.stack?.replace(error.message, () => message);
  error.message = message;
}
