import {
  applyDecorators,
  Body,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  Patch,
  Post,
  Put,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import {
  ApiBody,
  type ApiBodyOptions,
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  type ApiParamOptions,
  ApiResponse,
  type ApiResponseOptions,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { ACCESS_RULE, type AccessRule, type DeskRole } from '../access/access-rule.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { OptionalText } from '../validation/body-fields.decorator.js';
import {
  OptionalBooleanParameter,
  OptionalNumberParameter,
} from '../validation/query-parameters.decorator.js';
import { StrictPipe } from '../validation/valid.decorator.js';
import { AdminErrors } from './admin-errors.decorator.js';
import { AnsweredOnce } from './answered-once.js';
import type { ApiRequest } from './api-request.js';
import { TakesFile, TakesJson, TakesNoBody } from './bodies.js';

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

interface AdminRouteOptions {
  method: keyof typeof METHODS;
  /** Below the path of the controller. */
  path?: string;
  /** The lowest role of a key that may use it. */
  role: DeskRole;
  operationId: string;
  summary: string;
  description?: string;
  parameters?: ApiParamOptions[];
  body?: ApiBodyOptions;
  /** The body is a file of one of these media types. */
  takesFile?: readonly string[];
  /** A repetition would do it twice. */
  isOnce?: true;
  answer: AdminAnswerOptions;
  errors?: ErrorCode[];
  /** The command of the command line: "order pay". */
  command?: string;
  /** The fields that the command takes as arguments, after those of the path. */
  commandArguments?: readonly string[];
}

type AdminAnswerOptions = {
  description?: string;
  status?: 200 | 201;
  /** Other media types of the same, by `Accept`. */
  files?: readonly string[];
} &
  /** What a trial answers has another class. */
  (
    | { data: Type; trial?: Type }
    /** All rows, streamed. */
    | { rows: Type }
    /** A page of a list, with `next` if there are more. */
    | { list: Type }
  );

const ONCE_ERRORS = ['idempotency_key_in_use', 'idempotency_key_reused'] as const;

/** A route of the admin API: its access, its checks and its documentation. */
export function AdminRoute(route: AdminRouteOptions): MethodDecorator {
  const { method, path, role, operationId, summary, description, parameters = [], body, takesFile } = route;
  const { isOnce = false, answer, errors = [], command, commandArguments } = route;
  return applyDecorators(
    AdminErrors(...errors, ...(isOnce ? ONCE_ERRORS : [])),
    ApiResponse(answerOf(answer)),
    ApiExtraModels(typeOf(answer)),
    ...('trial' in answer && answer.trial ? [ApiExtraModels(answer.trial)] : []),
    ...parameters.map((parameter) => ApiParam(parameter)),
    ...(body ? [ApiBody(body)] : []),
    ApiOperation({ operationId, summary, ...(description !== undefined && { description }) }),
    ApiExtension('x-role', role),
    ...(command === undefined ? [] : [ApiExtension('x-command', command)]),
    ...(commandArguments === undefined ? [] : [ApiExtension('x-arguments', commandArguments)]),
    ApiSecurity('key'),
    body ? TakesJson() : takesFile ? TakesFile(...takesFile) : TakesNoBody(summary),
    Header('Cache-Control', 'no-store'),
    Header('X-Content-Type-Options', 'nosniff'),
    ...(isOnce ? [AnsweredOnce()] : []),
    SetMetadata<string, AccessRule>(ACCESS_RULE, { credential: 'admin key', role }),
    HttpCode(answer.status ?? 200),
    METHODS[method](path),
  );
}

/** A checked body. Unknown fields are refused. */
export const CheckedBody = () => Body(StrictPipe);

const TRUE = { type: 'boolean', enum: [true], example: true } as const;

const objectOf = (properties: object) =>
  ({ type: 'object', required: Object.keys(properties), properties: properties as never }) as const;

const PAGE = {
  has_more: { type: 'boolean', example: false },
  next: {
    type: 'string',
    nullable: true,
    description: 'Send it as `after` for the next page.',
    example: null,
  },
};

const FILE = { schema: { type: 'string', format: 'binary' } } as const;

const typeOf = (answer: AdminAnswerOptions): Type =>
  'data' in answer ? answer.data : 'rows' in answer ? answer.rows : answer.list;

function answerOf(answer: AdminAnswerOptions): ApiResponseOptions {
  const { description = 'Done.', status = 200, files = [] } = answer;
  const contentOf = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, FILE]));
  const items = { $ref: getSchemaPath(typeOf(answer)) };
  const data = 'data' in answer ? items : { type: 'array', items };
  const done = objectOf({ success: TRUE, data, ...('list' in answer && PAGE) });
  const trial = 'data' in answer ? answer.trial : undefined;
  const tried = trial && objectOf({ success: TRUE, dry_run: TRUE, data: { $ref: getSchemaPath(trial) } });
  const schema = tried ? { anyOf: [done, tried] } : done;
  return { status, description, content: { 'application/json': { schema }, ...contentOf(files) } };
}

/** The media type that the caller asks for first: JSON, or one of these. */
export const WantedType = createParamDecorator(
  (types: readonly string[], context: ExecutionContext): string => {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return request.accepts([JSON_TYPE, ...types]) || JSON_TYPE;
  },
);

const JSON_TYPE = 'application/json';

/** The envelope of one thing. */
export const answerWith = <Data>(data: Data) => ({ success: true, data }) as const;

/** The envelope of a page: one row more than the page was read. */
export function pageOf<Row, Data>(
  rows: readonly Row[],
  limit: number,
  toData: (row: Row) => Data,
  cursorOf: (row: Row) => string,
) {
  const has_more = rows.length > limit;
  const page = rows.slice(0, limit);
  const next = has_more ? cursorOf(page.at(-1)!) : null;
  return { success: true, data: page.map(toData), has_more, next } as const;
}

export const PageAfter = () =>
  OptionalText({ max: 200, description: 'The `next` of the page before.', example: 'MTIz', isId: true });

export const PageLimit = () =>
  OptionalNumberParameter({
    min: 1,
    max: 500,
    description: 'How many at most; 100 by default.',
    example: 100,
  });

/** The query of a list. A list with filters extends it. */
export class PageQuery {
  @PageAfter() after?: string;
  @PageLimit() limit?: number;
}

export const DEFAULT_LIMIT = 100;

/** The query of an action that can be tried. */
export class DryRunQuery {
  @OptionalBooleanParameter({
    description: 'Checks everything and answers what would be done, but does nothing.',
    example: true,
  })
  dry_run?: boolean;
}
