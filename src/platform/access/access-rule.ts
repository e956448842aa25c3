import { SetMetadata } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import type { Share } from '../limits/allowance.js';
import { TOKEN_KINDS, type TokenKind } from './token-kind.js';

/** The requirements of a route: the kind of credential, a subscription, and the kinds of tokens. */
export type AccessRule =
  | { credential: 'none' }
  | {
      credential: 'store token';
      subscription: 'required' | 'not required';
      tokens: readonly TokenKind[];
      share?: Share;
    }
  | { credential: 'admin key'; role: DeskRole }
  | { credential: 'session'; of: 'client'; inPerson?: true }
  | { credential: 'session'; of: 'wholesaler'; role: DeskRole; lenient?: 'without second step' };

/** Roles of the wholesaler's people. Each includes the ones before it. */
export type DeskRole = 'packer' | 'staff' | 'admin';

/** Applies to routes without a decorator, so a forgotten decorator closes the route. */
export const STRICTEST = {
  credential: 'store token',
  subscription: 'required',
  tokens: ['full'],
} satisfies AccessRule;

export const ACCESS_RULE = 'access-rule';

/** For addresses without a route: they answer all tokens in the same way. */
export const ForAnyToken = () =>
  SetMetadata<string, AccessRule>(ACCESS_RULE, { ...STRICTEST, tokens: TOKEN_KINDS });

/** The same for keys of the wholesaler's programs. */
export const ForAnyKey = () =>
  SetMetadata<string, AccessRule>(ACCESS_RULE, { credential: 'admin key', role: 'packer' });

/** Needs no credentials at all (health, docs). */
export const Open = () => SetMetadata<string, AccessRule>(ACCESS_RULE, { credential: 'none' });

/**
 * For people of clients who are signed in. The services check each person's role. "In person" closes a page
 * for people of the wholesaler who see the client's pages.
 */
export const SignedIn = (inPerson?: 'in person') =>
  SetMetadata<string, AccessRule>(ACCESS_RULE, {
    credential: 'session',
    of: 'client',
    ...(inPerson && { inPerson: true }),
  });

/** For people of the wholesaler with this role. Services do not check it: commands call them too. */
export const AtDesk = (role: DeskRole, lenient?: 'without second step') =>
  SetMetadata<string, AccessRule>(ACCESS_RULE, {
    credential: 'session',
    of: 'wholesaler',
    role,
    ...(lenient && { lenient }),
  });

/**
 * A kind of credential, such as a store's token. `admit` accepts the request and notes the caller, or throws.
 */
export interface Credential<Rule extends AccessRule = AccessRule> {
  admit(request: ApiRequest, response: TimedResponse, rule: Rule): void | Promise<void>;
}
