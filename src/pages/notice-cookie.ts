import type { IncomingMessage } from 'node:http';
import type { NoticeContent } from './notice-content.js';

/** Long enough for the next page, and gone before anybody wonders. */
const SECONDS = 60;
const NAME = 'notice';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';
const KINDS = new Set<unknown>(['accent', 'warn', 'bad', 'info'] satisfies NoticeContent['kind'][]);

/** A cookie, so that no address can put words into our mouth. */
export function noticeCookie(notice: NoticeContent): string {
  const value = Buffer.from(JSON.stringify(notice)).toString('base64url');
  return `${NAME}=${value}; Max-Age=${SECONDS}; ${ATTRIBUTES}`;
}

export const SHOWN_NOTICE_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

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
