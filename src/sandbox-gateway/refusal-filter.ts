import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../platform/errors/domain-error.js';
import { statusOf } from '../platform/errors/error-codes.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { Refusal } from './refusal.js';

/** What Razorpay would tell is told in its body. (A fault of ours is not caught here, and told as everywhere.) */
@Catch(Refusal, DomainError)
export class RefusalFilter implements ExceptionFilter {
  catch(thrown: Refusal | DomainError, host: ArgumentsHost): void {
    const { status, description, field } = thrown instanceof Refusal ? thrown : translate(thrown);
    const http = host.switchToHttp();
    http.getRequest<ApiRequest>().failure = { code: 'sandbox_refusal' };
    const response = http.getResponse<Response>();
    if (thrown instanceof DomainError && thrown.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', thrown.retryAfterSeconds);
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="sandbox"');
    const error = {
      code: status < 500 ? 'BAD_REQUEST_ERROR' : 'SERVER_ERROR',
      description,
      source: 'business',
      step: 'payment_initiation',
      reason: status < 500 ? 'input_validation_failed' : 'server_error',
      metadata: {},
      field,
    };
    response.status(status).json({ error });
  }
}

function translate({ code, message }: DomainError) {
  return { status: statusOf(code), description: message, field: null };
}
