import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { EntityManager } from 'typeorm';
import { AdminAnswer } from './admin-answer.entity.js';
import { translateDatabaseError } from '../database/database-error.js';
import { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import type { ApiRequest } from './api-request.js';

/** SQL, because one statement claims the name and forgets old ones. */
const CLAIM = `
    WITH forgotten AS (
           DELETE FROM admin_answers WHERE (key_id, idempotency_key) IN (
             SELECT key_id, idempotency_key FROM admin_answers
              WHERE asked_at < now() - interval '7 days' AND (key_id, idempotency_key) <> ($1, $2)
              ORDER BY asked_at LIMIT 100 FOR UPDATE SKIP LOCKED))
    INSERT INTO admin_answers AS old (key_id, idempotency_key, request_hash) VALUES ($1, $2, $3)
    ON CONFLICT (key_id, idempotency_key) DO UPDATE
       SET request_hash = $3, asked_at = now(), answer = NULL
     WHERE old.asked_at < now() - interval '7 days'
    RETURNING key_id`;

const KEY = /^[\x20-\x7e]{1,100}$/;

/** A repetition with the same `Idempotency-Key` gets the first answer. Refused work does not use it up. */
@Injectable()
class AnsweredOnceInterceptor implements NestInterceptor {
  constructor(private readonly manager: EntityManager) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const name = request.get('Idempotency-Key');
    const { dry_run: trial } = request.query;
    // A trial does nothing, and does not use the name up.
    if (name === undefined || /^(true|1)$/i.test(String(trial))) return next.handle();
    if (!KEY.test(name))
      throw new DomainError('invalid_value', 'An Idempotency-Key has 1 to 100 ASCII characters.');
    return from(this.answerOnce(request, name, next, http.getResponse<Response>()));
  }

  private async answerOnce(request: ApiRequest, name: string, next: CallHandler, response: Response) {
    const answers = this.manager.getRepository(AdminAnswer);
    const row = { keyId: request.adminKey!.id, idempotencyKey: name };
    const requestHash = hashOf(request);
    const claimed = await this.manager.query<object[]>(CLAIM, [row.keyId, name, requestHash]);
    if (claimed.length === 0) {
      const earlier = await answers.findOneBy(row);
      response.setHeader('Idempotent-Replayed', 'true');
      return repeated(name, requestHash, earlier);
    }
    let answer: object;
    try {
      answer = (await lastValueFrom(next.handle())) as object;
    } catch (thrown) {
      // Nothing was done, so the same key may try again. If the connection was lost, that is unknown.
      const error = translateDatabaseError(thrown);
      const isRefusal = error instanceof DomainError && statusOf(error.code) < 500;
      const isRolledBack = error instanceof DomainError && error.reason !== undefined;
      if (isRefusal || isRolledBack) await answers.delete(row);
      throw error;
    }
    await answers.update(row, { answer: answer as never });
    return answer;
  }
}

function repeated(name: string, requestHash: Buffer, earlier: AdminAnswer | null): object {
  if (earlier && !earlier.requestHash.equals(requestHash))
    throw new DomainError(
      'idempotency_key_reused',
      `The Idempotency-Key "${name}" belongs to another request. Use a new one.`,
    );
  if (earlier?.answer) return earlier.answer;
  throw new DomainError(
    'idempotency_key_in_use',
    `An earlier request with the Idempotency-Key "${name}" has not ended, or was cut off. Read what it did ` +
      'before you send it with another key.',
  );
}

const hashOf = ({ method, originalUrl, body }: ApiRequest) =>
  createHash('sha256')
    .update(JSON.stringify([method, originalUrl, body]))
    .digest();

/** For a route that would do it twice. */
export const AnsweredOnce = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A name of your own for this request, up to 100 characters. A repetition with the same name and ' +
        'content gets the first answer, and does nothing. Kept for a week.',
    }),
    UseInterceptors(AnsweredOnceInterceptor),
  );
