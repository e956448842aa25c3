import { applyDecorators, Get, HttpCode, Post, Put, type Type } from '@nestjs/common';
import {
  ApiBody,
  type ApiBodyOptions,
  ApiHeader,
  type ApiHeaderOptions,
  ApiOperation,
  ApiParam,
  type ApiParamOptions,
  ApiResponse,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { Authenticated } from '../access/access.decorators.js';
import { TEST_FAILURE_HEADER, TEST_FAILURES } from '../access/test-failure.js';
import type { TokenKind } from '../access/token-kind.js';
import type { StoreErrorCode } from '../errors/error-codes.js';
import type { Share } from '../limits/allowance.js';
import { ReleaseAfterBody, LimitConcurrency } from '../limits/limit-concurrency.decorator.js';
import { ApiErrors } from './api-errors.decorator.js';
import { TakesJson, TakesNoBody } from './bodies.js';

const TEST_FAILURE = {
  name: TEST_FAILURE_HEADER,
  required: false,
  description:
    'With a test token: the request fails as a real one would, and nothing is done. Other tokens get 403 ' +
    '`token_not_allowed`.',
  schema: { type: 'string', enum: Object.keys(TEST_FAILURES) },
} as const;

const METHODS = { GET: Get, POST: Post, PUT: Put };

interface StoreRouteOptions {
  method: keyof typeof METHODS;
  /** Below the path of the controller. */
  path?: string;
  subscription?: 'not required';
  /** The kinds of tokens that may use it: `full` alone if it is left out. */
  tokens?: readonly TokenKind[];
  operationId: string;
  summary: string;
  description: string;
  parameter?: ApiParamOptions;
  headers?: ApiHeaderOptions[];
  body?: ApiBodyOptions;
  /** The allowance that pays for it: `other` if it is left out. */
  share?: Share;
  /**
   * For a route that queries the database: each request takes one of its client's slots, or waits for one. A
   * route whose requests wait for a common batch releases the slot once the body is read. A route that reads
   * from memory takes none.
   */
  slot: 'held' | 'until the body is read' | 'none';
  answer: AnswerOptions;
  errors?: StoreErrorCode[];
}

interface AnswerOptions {
  /** The class of a JSON body. */
  type?: Type;
  /** The media type of another body. */
  file?: string;
  status?: 200 | 201;
  description?: string;
  headers?: ApiResponseOptions['headers'];
  /** The client may keep a copy and ask with `If-None-Match` whether it is still good. */
  isConditional?: boolean;
}

/**
 * A route of the store API: its parameters, checks, cost and documentation. The order of the decorators
 * matters.
 */
export function StoreRoute(route: StoreRouteOptions): MethodDecorator {
  const { method, path, parameter, headers = [], body, share, slot, answer, errors = [] } = route;
  const { operationId, summary, description, subscription, tokens } = route;
  return applyDecorators(
    ApiErrors(...errors, ...HTTP_ERRORS),
    ...(answer.isConditional ? conditional(answer) : [ApiResponse({ status: 200, ...documented(answer) })]),
    ...(parameter ? [ApiParam(parameter)] : []),
    ...headers.map((header) => ApiHeader(header)),
    ...(tokens?.includes('test') ? [ApiHeader(TEST_FAILURE)] : []),
    ...(body ? [ApiBody(body)] : []),
    ApiOperation({ operationId, summary, description }),
    // A slot is taken, the body is read, then its slot is released: guards run in this order.
    ...(slot === 'none' ? [] : [LimitConcurrency()]),
    body ? TakesJson() : TakesNoBody(summary),
    ...(slot === 'until the body is read' ? [ReleaseAfterBody()] : []),
    Authenticated(subscription && 'without subscription', tokens, share),
    HttpCode(answer.status ?? 200),
    METHODS[method](path),
  );
}

/** Any request can get these. */
const HTTP_ERRORS = [
  'malformed_request',
  'validation_failed',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
] as const satisfies StoreErrorCode[];

const ETAG = {
  ETag: { description: 'Send it back as `If-None-Match`.', schema: { type: 'string' } as const },
};

function documented({ file, isConditional: _, ...answer }: AnswerOptions): ApiResponseOptions {
  if (file === undefined) return answer;
  return { ...answer, content: { [file]: { schema: { type: 'string', format: 'binary' } } } };
}

function conditional({ headers: more, ...answer }: AnswerOptions): MethodDecorator[] {
  const headers = { ...ETAG, ...more };
  return [
    ApiHeader({ name: 'If-None-Match', description: 'The `ETag` of the copy you have.', required: false }),
    ApiResponse({ status: 200, ...documented(answer), headers }),
    ApiResponse({ status: 304, description: 'Your copy is still good.', headers }),
  ];
}
