import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { NoticeContent } from './page.js';

/** Long enough to reach the next page. */
const SECONDS = 60;
const KINDS = new Set<unknown>(['accent', 'warn', 'bad', 'info'] satisfies NoticeContent['kind'][]);

/** A cookie, because a foreign link could forge a notice in the address. */
export function keepNotice(response: Response, notice: NoticeContent): void {
  const value = Buffer.from(JSON.stringify(notice)).toString('base64url');
  appendCookie(response, value, SECONDS);
}

export function forgetNotice(response: Response): void {
  appendCookie(response, '', 0);
}

function appendCookie(response: Response, value: string, seconds: number): void {
  const secure = response.req.secure ? '; Secure' : '';
  response.append(
    'Set-Cookie',
    `notice=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  );
}

export function readNotice({ headers }: IncomingMessage): NoticeContent | undefined {
  const value = /(?:^|;\s*)notice=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
  return value === undefined ? undefined : parse(Buffer.from(value, 'base64url').toString());
}

/** Other services on the same host name can set this cookie, so check its shape. */
function parse(json: string): NoticeContent | undefined {
  try {
    const { kind, text } = JSON.parse(json) as Record<string, unknown>;
    return KINDS.has(kind) && typeof text === 'string' ? ({ kind, text } as NoticeContent) : undefined;
  } catch {
    return undefined;
  }
}
