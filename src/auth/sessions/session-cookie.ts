import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { hashSessionToken } from './session-token.js';

/** What a browser keeps for us: its session, the word that the password was right and a code is still due, or the secret of a link. */
export type CookieUse = 'session' | 'second-step' | 'link';

interface Cookie {
  name: string;
  attributes: string;
}

/** The secret of a link is needed for as long as it takes to choose a password; whoever takes longer opens the link once more. */
const SECONDS: Partial<Record<CookieUse, number>> = { link: 900 };

/** A link from another site brings it, a form of another site does not. It goes when the browser is closed. */
const ATTRIBUTES = 'HttpOnly; SameSite=Lax; Path=/';

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Whoever sends one of them stands between us and the browser. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * The cookie that may hold a secret on this connection, if any may. `__Host-` has the browser see to it that no other host and no plain
 * connection has set it. Safari takes no `Secure` cookie from http://localhost, so there it has another name and no such mark.
 */
export function cookieFor(request: Request, use: CookieUse): Cookie | undefined {
  if (request.secure) return { name: `__Host-${use}`, attributes: `Secure; ${ATTRIBUTES}` };
  return isOnLoopback(request) ? { name: use, attributes: ATTRIBUTES } : undefined;
}

export function readCookie(request: Request, use: CookieUse): string | undefined {
  const cookie = cookieFor(request, use);
  return cookie && valueOf(request.headers, cookie.name);
}

/** Without a value it is taken away. */
export function writeCookie(request: Request, use: CookieUse, value: string | undefined): void {
  const cookie = cookieFor(request, use);
  if (!cookie) throw new Error('No secret is sent over a connection that others can read.');
  const { name, attributes } = cookie;
  const seconds = value === undefined ? 0 : SECONDS[use];
  const lasting = seconds === undefined ? '' : `Max-Age=${seconds}; `;
  (request.res as Response).appendHeader('Set-Cookie', `${name}=${value ?? ''}; ${lasting}${attributes}`);
}

/** Of the session that the browser says it has. */
export function sessionHashOf(request: Request): Buffer | undefined {
  const token = readCookie(request, 'session');
  return token === undefined ? undefined : hashSessionToken(token);
}

function valueOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isOnLoopback({ socket, headers }: Request): boolean {
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  );
}
