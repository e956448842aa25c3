import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OwnAddress } from '../../platform/http/own-address.js';
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

/** The cookies that hold secrets. */
@Injectable()
export class BrowserCookies {
  constructor(private readonly own: OwnAddress) {}

  /** Whether this connection may carry a secret. */
  mayCome(request: Request): boolean {
    return this.cookieFor(request, 'session') !== undefined;
  }

  read(request: Request, use: CookieUse): string | undefined {
    const cookie = this.cookieFor(request, use);
    return cookie && valueOf(request.headers, cookie.name);
  }

  /** Without a value it is taken away. */
  write(request: Request, use: CookieUse, value: string | undefined): void {
    const cookie = this.cookieFor(request, use);
    if (!cookie) throw new Error('No secret is sent over a connection that others can read.');
    const { name, attributes } = cookie;
    const seconds = value === undefined ? 0 : SECONDS[use];
    const lasting = seconds === undefined ? '' : `Max-Age=${seconds}; `;
    (request.res as Response).appendHeader('Set-Cookie', `${name}=${value ?? ''}; ${lasting}${attributes}`);
  }

  /** Of the session that the browser says it has. */
  sessionHash(request: Request): Buffer | undefined {
    const token = this.read(request, 'session');
    return token === undefined ? undefined : hashSessionToken(token);
  }

  /**
   * The cookie that may hold a secret on this connection, if any may. `__Host-` has the browser see to it that no other host and no plain
   * connection has set it. Safari takes no `Secure` cookie from http://localhost, so there it has another name and no such mark.
   */
  private cookieFor(request: Request, use: CookieUse): Cookie | undefined {
    if (request.secure) return { name: `__Host-${use}`, attributes: `Secure; ${ATTRIBUTES}` };
    return this.isOnLoopback(request) ? { name: use, attributes: ATTRIBUTES } : undefined;
  }

  /**
   * A proxy or a tunnel on this machine that tells nothing of itself looks like a browser here, whoever uses it. So where browsers are to come by
   * another address, nobody is believed to be here, and what is posted must come from a page that the browser itself has found here.
   */
  private isOnLoopback({ socket, headers }: Request): boolean {
    return (
      isPlainLoopback(this.own.publicUrl) &&
      LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
      LOOPBACK_HOST.test(headers.host ?? '') &&
      FORWARDING.every((name) => headers[name] === undefined) &&
      (headers.origin === undefined || isPlainLoopback(headers.origin))
    );
  }
}

function isPlainLoopback(origin: string): boolean {
  return origin.startsWith('http://') && LOOPBACK_HOST.test(origin.slice('http://'.length));
}

function valueOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
