import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { ApiRequest } from '../http/api-request.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { ACCESS_RULE, type AccessRule } from './access-rules.js';
import { AccessService } from './access.service.js';

/** Guards every route. A route is open only where it says so. The limit comes right after the token: it is the token that has it. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: AccessService,
    private readonly limiter: RateLimiter,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.ruleOf(context);
    if (rule === 'open') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const holder = this.access.holder(request.headers);
    request.spent = this.limiter.spend(holder.token.id, http.getResponse<Response>());
    request.caller = this.access[rule](holder, request.headers);
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
