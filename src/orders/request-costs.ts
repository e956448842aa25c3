import { DomainError } from '../platform/errors/domain-error.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { namedIn } from '../platform/rate-limit/named-in.js';
import { BYTES_WRITTEN_FREE, COSTS } from '../platform/rate-limit/request-costs.js';
import { ORDER_LIMITS } from './placing/order-limits.js';

/** By the lines: once the body was read, so above `@TakesJson()`. More than there may be are refused before anybody looks at them. */
export const QUOTE_COST = {
  ahead: ({ body }: ApiRequest) => linesIn(body) * COSTS.line,
  whenRefused: (error: unknown) => unknownSkusIn(error) * COSTS.lineOfUnknownSku,
};

/** Beyond what its quote costs an order is charged for what it leaves in the database, where it stays though it be cancelled. */
export const ORDER_COST = {
  ...QUOTE_COST,
  ahead: (request: ApiRequest) => QUOTE_COST.ahead(request) + writtenFor(request),
};

/** Of the status of many orders, by how many are named. */
export const STATUSES_COST = {
  ahead: ({ query }: ApiRequest) => namedIn(query.orders) * COSTS.orderNamed,
};

function writtenFor({ body, bodyBytes = 0 }: ApiRequest): number {
  const bytes = Math.max(0, bodyBytes - BYTES_WRITTEN_FREE);
  return COSTS.orderWritten + linesIn(body) * COSTS.lineWritten + bytes * COSTS.byteWritten;
}

function linesIn(body: unknown): number {
  const items: unknown =
    typeof body === 'object' && body !== null && 'items' in body ? body.items : undefined;
  return Array.isArray(items) ? Math.min(items.length, ORDER_LIMITS.items) : 0;
}

function unknownSkusIn(error: unknown): number {
  const errors = (error instanceof DomainError && error.errors) || [];
  return errors.filter(({ code }) => code === 'unknown_sku').length;
}
