import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { callerAddress } from '../../../platform/http/caller-address.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { hashSecret } from '../../people/secret.js';

/** `second-step`: the password was right, and a code is due. `link`: the secret of a link. */
type CookieUse = 'session' | 'second-step' | 'link';

interface Cookie {
  name: string;
  attributes: string;
}

/** The time to choose a password. Afterwards the person must open the link again. */
const SECONDS: Partial<Record<CookieUse, number>> = { link: 900 };

/** Lax: links from other sites send it, forms do not. It lasts until the browser closes. */
const ATTRIBUTES = 'HttpOnly; SameSite=Lax; Path=/';

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** These headers show that a proxy stands between the browser and this service. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

@Injectable()
export class BrowserCookiesService {
  constructor(private readonly own: OwnAddress) {}

  mayCarrySecrets(request: Request): boolean {
    return this.cookieFor(request, 'session') !== undefined;
  }

  read(request: Request, use: CookieUse): string | undefined {
    const cookie = this.cookieFor(request, use);
    return cookie && valueOf(request.headers, cookie.name);
  }

  /** Sets the cookie, or deletes it without a value. */
  write(request: Request, use: CookieUse, value: string | undefined): void {
    const cookie = this.cookieFor(request, use);
    if (!cookie) throw new Error('No secret is sent over a connection that others can read.');
    const { name, attributes } = cookie;
    const seconds = value === undefined ? 0 : SECONDS[use];
    const lasting = seconds === undefined ? '' : `Max-Age=${seconds}; `;
    (request.res as Response).appendHeader('Set-Cookie', `${name}=${value ?? ''}; ${lasting}${attributes}`);
  }

  sessionHash(request: Request): Buffer | undefined {
    const token = this.read(request, 'session');
    return token === undefined ? undefined : hashSecret(token);
  }

  /**
   * The cookie for this connection, if it may carry secrets. `__Host-` proves that no other host and no plain
   * connection set it. Safari accepts no `Secure` cookie from http://localhost, so there the cookie has a
   * plain name.
   */
  private cookieFor(request: Request, use: CookieUse): Cookie | undefined {
    if (request.secure) return { name: `__Host-${use}`, attributes: `Secure; ${ATTRIBUTES}` };
    return this.isOnLoopback(request) ? { name: use, attributes: ATTRIBUTES } : undefined;
  }

  /**
   * A silent proxy or tunnel on this machine looks like a local browser. So a public PUBLIC_URL disables
   * local sign-in, and posts must come from a page on the loopback address.
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

export interface Browser {
  address: string;
  userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 300;

export function browserOf(request: Request): Browser {
  const header = request.headers['user-agent'] ?? '';
  return {
    address: callerAddress(request),
    userAgent: header.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT_LENGTH),
  };
}
