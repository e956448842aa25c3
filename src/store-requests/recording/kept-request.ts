import type { ApiRequest } from '../../platform/http/api-request.js';
import { isPlainObject } from '../../platform/validation/named-fields.js';
import { hostDomain } from '../../auth/tokens/domain.js';
import type { StoreRequest } from '../entities/store-request.entity.js';
import { REQUEST_LOG_LIMITS } from '../request-log-limits.js';
import { keptFaults } from '../rules/kept-faults.js';
import { keptPath } from '../rules/kept-path.js';
import { ownText } from '../rules/own-text.js';

/** What is kept of a request, before the database gives it a number. */
export type KeptRequest = Omit<StoreRequest, 'id'>;

export interface Answer {
  at: number;
  /** The route's pattern, or what stands for none. */
  route: string;
  status: number;
  location: unknown;
  milliseconds: number;
}

/** A row takes more than its texts, and its places in the indexes too. */
const ROW_BYTES = 150;

const NONE: ReadonlySet<string> = new Set();

/** Where an order is that was made just now. */
const ORDER = /^\/api\/orders\/([^/]+)\/status$/;

/** Of the request of a holder, whatever can be of use to its store and is nobody else's. */
export function keptRequest(request: ApiRequest, answer: Answer): KeptRequest {
  const { id, method, headers, body, failure, knownParameters = NONE } = request;
  const { client, token } = request.holder!;
  const domain = headers['x-client-domain'];
  const [path = '', query = ''] = request.originalUrl.split('?', 2);
  return {
    clientId: client.id,
    answeredAt: new Date(answer.at),
    requestId: id,
    tokenId: token.id,
    domain: typeof domain === 'string' ? hostDomain(domain) : null,
    method,
    route: answer.route,
    path: keptPath(path, answer.route.startsWith('/') ? answer.route : undefined),
    parameters: [...knownParameters].filter((name) =>
      query.split('&', 1_000).some((pair) => pair.split('=', 1)[0] === name),
    ),
    status: answer.status,
    code: failure?.code ?? '',
    faults: keptFaults(failure?.errors ?? [], body, knownParameters, REQUEST_LOG_LIMITS.faultsBytes),
    storeOrderId: isPlainObject(body) ? ownText(body.store_order_id) : null,
    orderNumber: orderNumberIn(failure?.facts?.order_number, answer.location),
    milliseconds: Math.round(answer.milliseconds * 10) / 10,
  };
}

export function bytesOf(request: KeptRequest): number {
  return ROW_BYTES + Buffer.byteLength(JSON.stringify(request));
}

/** Of the order that is there already, or of the one that was made. */
function orderNumberIn(existing: unknown, location: unknown): string | null {
  const made = typeof location === 'string' ? ORDER.exec(location)?.[1] : undefined;
  return ownText(existing ?? made);
}
