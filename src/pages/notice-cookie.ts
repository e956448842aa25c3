import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { NoticeContent } from './notice-content.js';

/** Long enough for the next page, and gone before anybody wonders. */
const SECONDS = 60;
const KINDS = new Set<unknown>(['accent', 'warn', 'bad', 'info'] satisfies NoticeContent['kind'][]);

/** A cookie, so that no address can put words into our mouth. */
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

/** Whoever shares the machine's name may have set it: it is believed no further than its form. */
function parse(json: string): NoticeContent | undefined {
  try {
    const { kind, text } = JSON.parse(json) as Record<string, unknown>;
    return KINDS.has(kind) && typeof text === 'string' ? ({ kind, text } as NoticeContent) : undefined;
  } catch {
    return undefined;
  }
}
