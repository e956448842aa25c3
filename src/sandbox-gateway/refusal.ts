import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../platform/errors/domain-error.js';
import { statusOf } from '../platform/errors/error-codes.js';
import type { ApiRequest } from '../platform/http/api-request.js';

/** An error of the sandbox, with Razorpay's message. */
export class Refusal extends Error {
  constructor(
    readonly description: string,
    readonly field: string | null = null,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

export function unknownId(): Refusal {
  return new Refusal('The id provided does not exist');
}

/** Answers errors in Razorpay's body. A fault of our own is answered as everywhere. */
@Catch(Refusal, DomainError)
export class RefusalFilter implements ExceptionFilter {
  catch(thrown: Refusal | DomainError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    http.getRequest<ApiRequest>().failure = { code: 'sandbox_refusal' };
    const response = http.getResponse<Response>();
    const isOurs = thrown instanceof Refusal;
    const status = isOurs ? thrown.status : statusOf(thrown.code);
    if (!isOurs && thrown.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', thrown.retryAfterSeconds);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="sandbox"');
    const code = status < 500 ? 'BAD_REQUEST_ERROR' : 'SERVER_ERROR';
    const field = isOurs ? thrown.field : null;
    response.status(status).json({ error: { code, description: thrown.message, field } });
  }
}
