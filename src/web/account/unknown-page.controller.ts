import { All, Injectable, Req } from '@nestjs/common';
import { isOwnPath, type SeeOther, seeOther } from '../../shared/ui/page.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { allowedMethods, withoutSlashesAtEnd } from '../../platform/http/allowed-methods.js';
import { type ApiRequest, isRead } from '../../platform/http/api-request.js';
import { MayHaveBody } from '../../platform/http/bodies.js';

/** Answers all other addresses, so it comes last. Without a session it does not reveal which pages exist. */
@Injectable()
export abstract class UnknownPageController {
  @All(['', '{*path}'])
  @MayHaveBody()
  unknown(@Req() request: ApiRequest): SeeOther {
    const { app, method, path } = request;
    const canonicalPath = withoutSlashesAtEnd(path);
    // A redirect would silently lose a posted form.
    if (
      isRead(request) &&
      canonicalPath !== path &&
      isOwnPath(canonicalPath) &&
      allowedMethods(app, canonicalPath).includes(method)
    )
      return seeOther(canonicalPath);
    const allowed = allowedMethods(app, path);
    if (allowed.length === 0) throw new DomainError('route_not_found', 'There is no such page.');
    request.res!.setHeader('Allow', allowed.join(', '));
    throw new DomainError('method_not_allowed', 'This page does not accept this kind of request.');
  }
}
