import { All, Controller, Module, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { seeOther } from '../shared/ui/page.js';
import { SeeOtherAnswer } from '../shared/ui/page-answers.js';
import { ForAnyKey, ForAnyToken, Open } from '../platform/access/access-rule.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { allowedMethods, nearestAddress, withoutSlashesAtEnd } from '../platform/http/allowed-methods.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { MayHaveBody } from '../platform/http/bodies.js';
import { isDecodable } from '../platform/http/identify-request.js';
import type { CustomResponse } from '../platform/http/send-answer.js';
import { HealthController, Readiness } from './health.controller.js';

/**
 * All addresses that no other controller serves, so it comes last. The guard also protects these routes:
 * without a token, a caller learns nothing about addresses under /api.
 */
@ApiExcludeController()
@Controller()
class UnroutedController {
  /** Each key may learn that an address does not exist. */
  @All(['api/admin', 'api/admin/{*path}'])
  @ForAnyKey()
  @MayHaveBody()
  underAdmin(@Req() request: ApiRequest): never {
    throw unrouted(request, '/docs/admin');
  }

  @All('api/*path')
  @ForAnyToken()
  @MayHaveBody()
  underApi(@Req() request: ApiRequest): never {
    throw unrouted(request);
  }

  @All('{*path}')
  @Open()
  @MayHaveBody()
  otherPath(@Req() request: ApiRequest): CustomResponse {
    if (isBrowser(request)) return new SeeOtherAnswer(seeOther('/dashboard'));
    if (request.path === '/') throw START;
    throw unrouted(request);
  }
}

const START = new DomainError(
  'route_not_found',
  'This is the Wholesale Order API. Its addresses begin with /api: see /docs/guide or /docs/openapi.json.',
  { facts: { suggestion: '/docs/guide' } },
);

/** A person opens the bare address in a browser. A program that accepts everything gets JSON. */
function isBrowser(request: ApiRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && request.path === '/' && request.accepts(['json', 'html']) === 'html';
}

function unrouted(request: ApiRequest, docs = '/docs'): DomainError {
  const path = request.originalUrl.split('?', 1)[0]!;
  if (!isDecodable(path))
    return new DomainError('malformed_path', 'The path has a "%" that does not begin valid UTF-8.');
  const allowed = allowedMethods(request.app, path);
  if (allowed.length === 0) return routeNotFound(suggestionFor(request, path), docs);
  request.res!.setHeader('Allow', allowed.join(', '));
  return new DomainError(
    'method_not_allowed',
    `This address does not support ${request.method}. It supports ${allowed.join(', ')}.`,
  );
}

/** A longer path is no typing error, and is not repeated in the message. */
const MAX_PATH_LENGTH = 300;

/** The address without trailing slashes, or a similar address. */
function suggestionFor({ app, method }: ApiRequest, path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const bare = withoutSlashesAtEnd(path.replace(/^\/+/, '/'));
  return allowedMethods(app, bare).includes(method) ? bare : nearestAddress(app, method, bare);
}

function routeNotFound(suggestion: string | undefined, docs: string): DomainError {
  const unknown = 'There is no such address.';
  return suggestion === undefined
    ? new DomainError('route_not_found', `${unknown} See ${docs} for all addresses.`)
    : new DomainError('route_not_found', `${unknown} Did you mean ${suggestion}?`, { facts: { suggestion } });
}

/** Express tries routes in the order of the modules: the store's routes come first, these come last. */
@Module({ controllers: [HealthController, UnroutedController], providers: [Readiness], exports: [Readiness] })
export class LastRoutesModule {}
