import type { FieldError } from '../../../platform/errors/domain-error.js';
import { TEST_FAILURE_HEADER } from '../../../platform/access/test-failure.js';
import type { ApiRequest, Failure } from '../../../platform/http/api-request.js';
import { isPlainObject } from '../../../platform/validation/plain-object.js';
import { hostDomain } from '../../clients/domain.js';
import type { StoreRequest } from '../entities/store-request.entity.js';
import { readRequestedItems, keptFaults, ownText } from '../rules/kept-parts.js';
import { keptPath } from '../rules/kept-path.js';

/** A request of the log before the database numbers it. */
export type KeptRequest = Omit<StoreRequest, 'id'>;

interface AnswerFacts {
  at: number;
  /** The pattern; `(none)` if nothing is served there. */
  route: string;
  status: number;
  location: unknown;
  milliseconds: number;
}

/** For the row and its index entries. */
const ROW_BYTES = 150;

const NONE: ReadonlySet<string> = new Set();

/** The route that places orders. */
export const ORDERS = '/api/orders';

/** The location of a new order. */
const ORDER = /^\/api\/orders\/([^/]+)\/status$/;

/** Keeps what helps the store's owner, and no customer data. */
export function keptRequest(request: ApiRequest, answer: AnswerFacts): KeptRequest {
  const { id, method, headers, body, failure, checkedQuery } = request;
  const knownParameters = checkedQuery?.known ?? NONE;
  const { client, token } = request.holder!;
  const domain = headers['x-client-domain'];
  const [path = ''] = request.originalUrl.split('?', 1);
  const isRefusedOrder = method === 'POST' && answer.route === ORDERS && answer.status >= 400;
  const keepsMessage = (isRefusedOrder && isPlainObject(body)) || failure?.code === 'token_invalid';
  return {
    clientId: client.id,
    answeredAt: new Date(answer.at),
    requestId: id,
    tokenId: token.id,
    domain: typeof domain === 'string' ? hostDomain(domain) : null,
    method,
    route: answer.route,
    path: keptPath(path, answer.route.startsWith('/') ? answer.route : undefined),
    parameters: [...knownParameters],
    status: answer.status,
    code: failure?.code ?? '',
    faults: isDemanded(request)
      ? [{ field: TEST_FAILURE_HEADER, code: failure!.code, message: 'asked for this answer' }]
      : keptFaults(faultsOf(failure, keepsMessage), body, knownParameters),
    asked: isRefusedOrder ? readRequestedItems(body) : null,
    storeOrderId: isPlainObject(body) ? ownText(body.store_order_id) : null,
    orderNumber: orderNumberIn(failure?.facts?.order_number, answer.location),
    milliseconds: Math.round(answer.milliseconds * 10) / 10,
  };
}

/** A test token asked for the failure: it is no error of the service. */
export function isDemanded({ testFailure, failure }: ApiRequest): boolean {
  return testFailure !== undefined && testFailure === failure?.code;
}

/** The same of a kept request. */
export function wasDemanded({ code, faults }: Pick<StoreRequest, 'code' | 'faults'>): boolean {
  return faults.some((fault) => fault.field === TEST_FAILURE_HEADER && fault.code === code);
}

/**
 * An order or a token that is refused as a whole has no faults of fields, so its message is kept. Other
 * messages may repeat a path or a header.
 */
function faultsOf(failure: Failure | undefined, keepsMessage: boolean): readonly FieldError[] {
  const { code = '', message = '', errors } = failure ?? {};
  return errors ?? (keepsMessage ? [{ field: '', code, message }] : []);
}

export function bytesOf(request: KeptRequest): number {
  return ROW_BYTES + Buffer.byteLength(JSON.stringify(request));
}

/** The number of the existing order, or of the new one. */
function orderNumberIn(existing: unknown, location: unknown): string | null {
  const made = typeof location === 'string' ? ORDER.exec(location)?.[1] : undefined;
  return ownText(existing ?? made);
}
