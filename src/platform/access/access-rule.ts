import { SetMetadata } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';

/** What a route asks of a request: which kind of credential, and what it has to prove. */
export type AccessRule =
  | { credential: 'none' }
  | { credential: 'store token'; subscription: 'required' | 'not required' }
  | { credential: 'session' };

/** Without a mark a route asks for everything: a forgotten one closes it. */
export const STRICTEST = { credential: 'store token', subscription: 'required' } satisfies AccessRule;

export const ACCESS_RULE = 'access-rule';

/** Needs no credentials at all (health, docs). */
export const Open = () => SetMetadata<string, AccessRule>(ACCESS_RULE, { credential: 'none' });

/** For a client's people, who sign in. What each of them may do, the services say that do it. */
export const SignedIn = () => SetMetadata<string, AccessRule>(ACCESS_RULE, { credential: 'session' });

/** A kind of proof that a request may bring: a store's token, say. It lets the request in, and notes who it is, or throws. */
export interface Credential<Rule extends AccessRule = AccessRule> {
  admit(request: ApiRequest, response: TimedResponse, rule: Rule): void | Promise<void>;
}
