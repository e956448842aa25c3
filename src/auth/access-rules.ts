import { SetMetadata } from '@nestjs/common';

/** What a route asks of a request. Without a mark it asks for everything: a forgotten mark closes a route. */
export type AccessRule = 'open' | 'visitor' | 'caller';

export const ACCESS_RULE = 'access-rule';

/** Needs no credentials at all (health, docs). */
export const Open = () => SetMetadata<string, AccessRule>(ACCESS_RULE, 'open');
