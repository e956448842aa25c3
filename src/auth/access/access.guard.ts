import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule, STRICTEST } from '../../platform/access/access-rule.js';
import type { Credential } from '../../platform/access/credential.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';

/** Who checks each kind of credential. A kind that a rule can ask for and nobody checks does not compile. */
export type Credentials = Readonly<Record<Exclude<AccessRule['credential'], 'none'>, Credential>>;

export const CREDENTIALS = Symbol('Credentials');

/** Guards every route. A route is open only where it says so, and closed where it asks for what nobody here can check. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CREDENTIALS) private readonly credentials: Credentials,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context);
    if (rule.credential === 'none') return true;
    const credential: Credential | undefined = this.credentials[rule.credential];
    if (!credential) throw new Error(`Nobody checks the credential "${rule.credential}".`);
    const http = context.switchToHttp();
    const admitted = credential.admit(http.getRequest<ApiRequest>(), http.getResponse<TimedResponse>(), rule);
    // Most are told at once, from memory: a promise would cost each of them a turn.
    return admitted === undefined ? true : admitted.then(() => true);
  }

  /** The handler's mark counts before its class's. */
  private ruleOf(context: ExecutionContext): AccessRule {
    return (
      this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
        context.getHandler(),
        context.getClass(),
      ]) ?? STRICTEST
    );
  }
}
