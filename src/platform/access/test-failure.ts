import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, validationFailed } from '../errors/domain-error.js';
import type { TokenKind } from './token-kind.js';

export const TEST_FAILURE_HEADER = 'X-Test-Failure';

/** The failures that a request with a test token may demand, for the documentation with what happens. */
export const TEST_FAILURES = {
  sold_out:
    '`POST /api/orders` answers 422, with `insufficient_stock` for each line; a quote has it in `errors`.',
  price_changed:
    '`POST /api/orders` answers 409 `price_changed`; a quote has it in `errors`. Send `expected_total`.',
  rate_limited: 'Every address answers 429 `rate_limited`, with `Retry-After`.',
  unavailable: 'Every address answers 503 `unavailable`, with `Retry-After`.',
} as const;

export type TestFailure = keyof typeof TEST_FAILURES;

/**
 * Reads the header. A request that expects a failure must never place a real order, so other tokens are
 * refused.
 */
export function readTestFailure(headers: IncomingHttpHeaders, kind: TokenKind): TestFailure | undefined {
  const demanded = headers['x-test-failure'];
  if (demanded === undefined) return undefined;
  if (kind !== 'test')
    throw new DomainError(
      'token_not_allowed',
      `${TEST_FAILURE_HEADER} works with a test token only. Nothing was done.`,
    );
  if (typeof demanded === 'string' && Object.hasOwn(TEST_FAILURES, demanded)) return demanded as TestFailure;
  const message = `must be one of ${Object.keys(TEST_FAILURES).join(', ')}`;
  throw validationFailed([{ field: TEST_FAILURE_HEADER, code: 'unknown_value', message }]);
}
