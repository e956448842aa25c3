import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const WELL_FORMED = /^[\w.-]{8,64}$/;

/** Every answer names its request. A well-formed id of the caller's is kept, so that its logs and ours can be joined. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
