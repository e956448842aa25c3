import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { DomainError } from '../errors/domain-error.js';
import { ApiErrors } from './api-errors.decorator.js';
import { type ApiRequest, isRead } from './api-request.js';
import { parseForm } from './parse-form.js';
import { parseJson } from './parse-json.js';
import { type BodyKind, hasBody, readBody } from './read-body.js';

const MAY_HAVE_BODY = 'may have a body';

/** The handler reads the body itself, or refuses every request. */
export const MayHaveBody = () => SetMetadata(MAY_HAVE_BODY, true);

const PURPOSE = 'what the handler does';

/** For a route without a body: what the refusal of a body says. */
export const TakesNoBody = (purpose: string) => SetMetadata(PURPOSE, purpose);

/** Bodies without content, as clients send them with a request that needs none. */
const EMPTY_BODIES: ReadonlySet<string> = new Set(['', '{}', '[]', 'null', '""']);

/**
 * Refuses a body that the route does not read, because its sender believes that it counts: a list of lines to
 * cancel, or filters of a list. It runs as a guard after the access guard.
 */
@Injectable()
export class UnreadBodies implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const handler = context.getHandler();
    if (!hasBody(request) || Reflect.hasMetadata(MAY_HAVE_BODY, handler)) return true;
    return this.isEmpty(request, handler);
  }

  private async isEmpty(request: ApiRequest, handler: object): Promise<true> {
    const refusal = () => unreadBody(request, handler);
    if (request.headers['content-encoding'] !== undefined) throw refusal();
    const bytes = await readBody(request, { maxBytes: 64, tooLarge: refusal });
    if (EMPTY_BODIES.has(bytes.toString().replaceAll(/\s/g, ''))) return true;
    throw refusal();
  }
}

function unreadBody(request: ApiRequest, handler: object): DomainError {
  const purpose = Reflect.getMetadata(PURPOSE, handler) as string | undefined;
  const does = purpose === undefined ? '' : `, and does only this: ${purpose}`;
  const advice = isRead(request) ? 'Parameters stand in the query.' : 'Nothing was done.';
  return new DomainError('validation_failed', `This address takes no body${does}. ${advice}`, {
    errors: [{ field: 'body', code: 'no_body', message: `must be left out${does}` }],
  });
}

/**
 * Reads the body of the routes that take one. It is a guard after the access guard, so a body is read only
 * once access is granted: an interceptor brings RxJS to each request. Other routes have no parser.
 */
function bodyGuard(kind: BodyKind, parse: (bytes: Buffer) => object): CanActivate {
  return {
    async canActivate(context: ExecutionContext): Promise<true> {
      const request = context.switchToHttp().getRequest<ApiRequest>();
      const bytes = await readBody(request, kind);
      request.bodyBytes = bytes.length;
      request.body = parse(bytes);
      return true;
    },
  };
}

const JSON_BODY = { mediaType: 'application/json', maxBytes: 256 * 1024 };

const JSON_BODY_GUARD = bodyGuard(JSON_BODY, parseJson);

/** Only routes with a body decorator have their body read. It also documents the body. */
export function TakesJson(): MethodDecorator {
  return applyDecorators(
    MayHaveBody(),
    UseGuards(JSON_BODY_GUARD),
    ApiConsumes(JSON_BODY.mediaType),
    ApiErrors(
      'malformed_json',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
    ),
  );
}

const FORM = 'application/x-www-form-urlencoded';

const FORM_BODY_GUARD = bodyGuard({ mediaType: FORM, maxBytes: 16 * 1024 }, parseForm);

/** A letter of an Indic script takes nine bytes in a form: a description may have 5,000 letters and more. */
const LONG_FORM_BODY_GUARD = bodyGuard({ mediaType: FORM, maxBytes: 128 * 1024 }, parseForm);

/** The body of a page's form, as `FormFields`. */
export function TakesForm({ isLong = false } = {}): MethodDecorator {
  return applyDecorators(
    MayHaveBody(),
    UseGuards(isLong ? LONG_FORM_BODY_GUARD : FORM_BODY_GUARD),
    ApiConsumes(FORM),
    ApiErrors(
      'malformed_request',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
    ),
  );
}

/** The body is a file. The handler reads it as a stream, see `readFileBody`. */
export function TakesFile(...mediaTypes: string[]): MethodDecorator {
  return applyDecorators(
    MayHaveBody(),
    ApiConsumes(...mediaTypes),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary' } }),
  );
}

const RAW_BODY_GUARD = bodyGuard({ maxBytes: 64 * 1024 }, (bytes) => bytes);

/** The body as the bytes that were sent, to verify their signature. */
export function TakesRaw(): MethodDecorator {
  return applyDecorators(
    MayHaveBody(),
    UseGuards(RAW_BODY_GUARD),
    ApiErrors('body_too_complex', 'body_too_large', 'unsupported_media_type', 'rate_limited'),
  );
}
