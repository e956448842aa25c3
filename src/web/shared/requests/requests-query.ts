import type { ComponentChildren } from 'preact';
import { oneOf, searchTextIn } from '../../../shared/ui/forms.js';
import { withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import {
  readRequestCursor,
  type RequestFilter,
} from '../../../modules/request-log/kept-requests/request-history.repository.js';
import type { RequestPeriod } from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import { DAY_MS } from '../../../platform/time/time.js';

/** The links and texts that differ between the dashboard and the desk. */
export interface RequestPageLinks {
  list: string;
  tokens: string;
  order(orderNumber: string): string;
  /** Advice on how to use the id of a call. */
  advice: ComponentChildren;
  /** The reader is the wholesaler, not the store. */
  isDesk: boolean;
}

export const requestPath = ({ list }: Pick<RequestPageLinks, 'list'>, id: string) => `${list}/${id}`;

/** A day by hours, or all kept days. */
export const SPANS = ['day', 'all'] as const;
export type Span = (typeof SPANS)[number];

export const OUTCOMES = ['failed', 'done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The filter in the page's address. */
export interface CallFilter {
  span: Span;
  outcome: Outcome | undefined;
  code: string | undefined;
  route: string | undefined;
  /** A request id, or the store's id of an order. */
  requestId: string | undefined;
  /** The start of the selected hour or day. */
  at: string | undefined;
}

/** The filter with the links of the page. */
export interface CallListFilter extends CallFilter {
  links: RequestPageLinks;
}

/** The maximum length of a code, a route or a request id. */
const MAX_TEXT_LENGTH = 64;

export interface RequestsQuery {
  filter: CallFilter;
  /** The list's cursor. */
  after: string | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readRequestsQuery(query: FormFields): RequestsQuery {
  const text = (name: string) => searchTextIn(query, name, MAX_TEXT_LENGTH);
  const filter = {
    span: oneOf(query, 'span', SPANS) ?? 'day',
    outcome: oneOf(query, 'outcome', OUTCOMES),
    code: text('code'),
    route: text('route'),
    requestId: text('request_id'),
    at: text('at'),
  };
  const after = text('after');
  return { filter, after: after && readRequestCursor(after) && after };
}

/** An id is looked up without other filters. */
export function filterOf(
  { span, outcome, code, route, requestId }: CallFilter,
  period?: RequestPeriod,
): RequestFilter {
  if (requestId !== undefined) return { id: requestId };
  return {
    ...(span === 'day' && { since: new Date(Date.now() - DAY_MS) }),
    ...(period && { since: period.begins, ...(period.ends && { until: period.ends }) }),
    ...(outcome === 'failed' && { failed: true }),
    ...(outcome === 'done' && { code: '' }),
    ...(code !== undefined && { code }),
    ...(route !== undefined && { route }),
  };
}

export function requestsPath(
  { span, outcome, code, route, requestId, at, links }: CallListFilter,
  after?: string,
): string {
  const parameters = { at, outcome, code, route, request_id: requestId, after };
  return withQuery(links.list, { span: span === 'day' ? undefined : span, ...parameters });
}
