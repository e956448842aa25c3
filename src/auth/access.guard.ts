import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ApiRequest } from '../http/api-request.js';
import { ACCESS_RULE, type AccessRule } from './access-rules.js';
import { AccessService } from './access.service.js';

/** Guards every route. A route is open only where it says so. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: AccessService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.ruleOf(context);
    if (rule === 'open') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.caller =
      rule === 'visitor' ? this.access.visitor(request.headers) : this.access.caller(request.headers);
    return true;
  }

  /** The handler's mark counts before its class's. */
  private ruleOf(context: ExecutionContext): AccessRule {
    return (
      this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
        context.getHandler(),
        context.getClass(),
      ]) ?? 'caller'
    );
  }
}
