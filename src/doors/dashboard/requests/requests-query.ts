import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/addresses.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isStorableText } from '../../../platform/validation/storable-text.js';
import { readRequestCursor } from '../../../activity/history/request-history.js';
import type { RequestFilter } from '../../../activity/history/request-history.js';

export const REQUESTS = '/dashboard/requests';

export const requestPath = (id: string) => `${REQUESTS}/${id}`;

/** What is looked at: the hours of a day, or all days that are kept. */
export const SPANS = ['day', 'all'] as const;
export type Span = (typeof SPANS)[number];

export const OUTCOMES = ['failed', 'done'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** As the address says it. */
export interface Chosen {
  span: Span;
  outcome: Outcome | undefined;
  code: string | undefined;
  route: string | undefined;
  requestId: string | undefined;
}

const DAY_MS = 86_400_000;

/** A code, a route or a request id is never longer. */
const LONGEST = 64;

export interface RequestsQuery {
  chosen: Chosen;
  /** Where the list goes on. */
  after: string | undefined;
}

/** What makes no sense asks for nothing. */
export function readRequestsQuery(query: FormFields): RequestsQuery {
  const text = (name: string) => {
    const given = textIn(query, name).trim().slice(0, LONGEST);
    return given !== '' && isStorableText(given) ? given : undefined;
  };
  const chosen = {
    span: SPANS.find((span) => span === text('span')) ?? 'day',
    outcome: OUTCOMES.find((outcome) => outcome === text('outcome')),
    code: text('code'),
    route: text('route'),
    requestId: text('request_id'),
  };
  const after = text('after');
  return { chosen, after: after && readRequestCursor(after) && after };
}

/** Whoever names a request wants it whenever it was. */
export function filterOf({ span, outcome, code, route, requestId }: Chosen): RequestFilter {
  if (requestId !== undefined) return { requestId };
  return {
    ...(span === 'day' && { since: new Date(Date.now() - DAY_MS) }),
    ...(outcome === 'failed' && { failed: true }),
    ...(outcome === 'done' && { code: '' }),
    ...(code !== undefined && { code }),
    ...(route !== undefined && { route }),
  };
}

/** The address of the page that shows them. */
export function requestsPath({ span, outcome, code, route, requestId }: Chosen, after?: string): string {
  return withQuery(REQUESTS, {
    span: span === 'day' ? undefined : span,
    outcome,
    code,
    route,
    request_id: requestId,
    after,
  });
}
