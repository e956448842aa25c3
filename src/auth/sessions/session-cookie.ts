import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/** How a cookie is kept: by TLS alone, or by nothing where there is no network in between. */
interface CookieKind {
  name: string;
  secure: boolean;
}

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Whoever sends one of them stands between us and the browser. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * The cookie that may hold a secret on this connection, if any may. `__Host-` has the browser see to it that no other host and no plain
 * connection has set it. Safari takes no `Secure` cookie from http://localhost, so there it has another name and no such mark.
 */
export function cookieFor(request: Request, name: string): CookieKind | undefined {
  if (request.secure) return { name: `__Host-${name}`, secure: true };
  return isOnLoopback(request) ? { name, secure: false } : undefined;
}

export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
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
