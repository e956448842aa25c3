/** What a client's people may do, each of what those before it may: see; also pay; also tokens, people and auto-pay. */
export const CLIENT_ROLES = ['viewer', 'buyer', 'owner'] as const;

export type ClientRole = (typeof CLIENT_ROLES)[number];
