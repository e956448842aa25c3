import { SetMetadata } from '@nestjs/common';

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
