import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ApiRequest } from '../http/api-request.js';
import { readList, readQuery } from '../validation/read-query.js';

/**
 * The costs in units of a client's limit, besides one unit for each request. A unit is about 0.2 ms of
 * a processor, so 12,000 a minute use 4 % of one.
 */
export const UNIT_COSTS = {
  /** For each order, SKU or line in the request. */
  named: 1 / 4,
  /** For each row that an order writes. Rows stay in the database, even if the order is cancelled. */
  row: 1,
  /** For each KB of an answer made for this client, and again if it is longer than `FREE_KILOBYTES`. */
  kilobyte: 1 / 16,
  /** For each PDF of a store, and for each file of a page. A PDF takes 50 to 90 ms of a processor. */
  pdf: 400,
  /** For each KB of a file of a page, also in a ZIP file. */
  fileKilobyte: 1 / 4,
} as const;

/** An answer of this size costs nothing to send. */
export const FREE_KILOBYTES = 16;

/** A product that a filter checks costs as much as this many bytes of an answer. */
export const PRODUCT_BYTES = 16;

export type CostRule = (request: ApiRequest) => number;

export const costOfNames =
  (name: string): CostRule =>
  ({ query }) => {
    const sent = readQuery(query, [{ name, isList: true }])[name];
    return sent === undefined ? 0 : readList(sent).names.length * UNIT_COSTS.named;
  };

/** Charged before the request is served, so a client that hangs up has paid. */
export function ChargeCost(cost: CostRule): MethodDecorator {
  return UseInterceptors(new ChargingInterceptor(cost));
}

class ChargingInterceptor implements NestInterceptor {
  constructor(private readonly cost: CostRule) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.cost?.charge(this.cost(request));
    return next.handle();
  }
}
