import type { OpenAPIObject } from '@nestjs/swagger';
import { IGNORED_PARAMETERS_HEADER } from '../validation/ignored-parameters.js';

interface Operation {
  security?: object[];
  responses?: Record<string, { headers?: Record<string, unknown> }>;
}

const REQUEST_ID = {
  'X-Request-Id': {
    description:
      'Names the request in our logs: your own `X-Request-Id` if it is well-formed, else a new one.',
    schema: { type: 'string' },
    example: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  },
} as const;

const RATE_LIMIT = {
  'RateLimit-Limit': {
    description:
      'How many units a minute the client may spend at the process that answers, with all its tokens together: one for a stock check. Absent where there is no limit.',
    schema: { type: 'integer', minimum: 1 },
    example: 12_000,
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left now.',
    schema: { type: 'integer', minimum: 0 },
    example: 11_999,
  },
  'RateLimit-Reset': {
    description:
      'In how many seconds all of them are there again; more than 60 if a request cost more than there were.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
} as const;

const IGNORED_PARAMETERS = {
  [IGNORED_PARAMETERS_HEADER]: {
    description: 'Query parameters that nobody looked at, percent-encoded; only if there are any.',
    schema: { type: 'string' },
    example: 'categroy',
  },
} as const;

/** The headers that come with every answer, whatever the route: set in one place, and described in one. */
export function describeHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as Operation[]) describe(operation);
  }
  document.components = {
    ...document.components,
    headers: { ...REQUEST_ID, ...RATE_LIMIT, ...IGNORED_PARAMETERS },
  };
  return document;
}

/** A request without a good token is counted for nobody, and one that is not let in or was one too many is told nothing of its parameters. */
function describe({ security = [], responses = {} }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    const counted = security.length > 0 && status !== '401';
    const admitted = counted && status !== '403' && status !== '429';
    response.headers = {
      ...response.headers,
      ...referencesTo(REQUEST_ID),
      ...(counted && referencesTo(RATE_LIMIT)),
      ...(admitted && referencesTo(IGNORED_PARAMETERS)),
    };
  }
}

function referencesTo(headers: object) {
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
