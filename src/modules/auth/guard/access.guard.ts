import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ACCESS_RULE,
  type AccessRule,
  STRICTEST,
  type Credential,
} from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { resumeWork } from '../../../platform/limits/work-meter.js';

/** One checker per kind of credential. A missing checker is a compile error. */
export type Credentials = Readonly<Record<Exclude<AccessRule['credential'], 'none'>, Credential>>;

export const CREDENTIALS = Symbol('Credentials');

/** Guards every route. Only a route with the mark `@Open()` is open. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CREDENTIALS) private readonly credentials: Credentials,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context);
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    if (rule.credential === 'none') {
      resumeWork({ request, charge: () => undefined });
      return true;
    }
    const credential: Credential | undefined = this.credentials[rule.credential];
    if (!credential) throw new Error(`The credential "${rule.credential}" has no checker.`);
    const admitted = credential.admit(request, http.getResponse<TimedResponse>(), rule);
    const begin = () => {
      resumeWork(request.cost);
      return true;
    };
    // Tokens are checked in memory. A promise would cost each request a turn of the event loop.
    return admitted === undefined ? begin() : admitted.then(begin);
  }

  /** A mark on the handler overrides the mark on its class. */
  private ruleOf(context: ExecutionContext): AccessRule {
    return (
      this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
        context.getHandler(),
        context.getClass(),
      ]) ?? STRICTEST
    );
  }
}
