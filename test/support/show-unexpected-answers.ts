import request, { type CallbackHandler, type Response } from 'supertest';

const SHOWN = 2_000;

const { end } = request.Test.prototype;

/** supertest tells of an unexpected status by its number alone. Why it came stands in the body: that is shown too. */
request.Test.prototype.end = function (this: request.Test, callback?: CallbackHandler) {
  return end.call(this, (error: Error | null, answer: Response) => {
    if (error && answer) tellMore(error, `${this.method} ${this.url} → ${answer.text?.slice(0, SHOWN)}`);
    callback?.(error, answer);
  });
};

/** What is printed of an error is its stack, which begins with its message. */
function tellMore(error: Error, more: string): void {
  const message = `${error.message}\n${more}`;
  error.stack = error.stack?.replace(error.message, () => message);
  error.message = message;
}
