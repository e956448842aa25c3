import type { ComponentChildren, VNode } from 'preact';
import type { DomainError } from '../platform/errors/domain-error.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { isOwnPath } from './addresses.js';

/** The content of a page. The frame decides its layout. */
export interface Page {
  /** The message of the page: "3 orders wait for payment". */
  title: string;
  /** One sentence below the title. */
  lead?: ComponentChildren;
  /** The link to the list that a detail page belongs to. */
  back?: { href: string; text: string };
  /** Buttons for the whole page. */
  actions?: ComponentChildren;
  content?: ComponentChildren;
  /** 200 by default. */
  status?: number;
  /** Foreign origins that forms may post to, such as the gateway's. */
  formTargets?: string[];
  /** The page reloads at this interval while an action is in progress. */
  refreshSeconds?: number;
}

/** A message shown once at the top of the next page. */
export interface NoticeContent {
  kind: 'accent' | 'warn' | 'bad' | 'info';
  text: string;
}

/** The answer to a form: a redirect, so that a reload does not post again. */
export class SeeOther {
  constructor(
    readonly path: string,
    /** Shown once, on the next page. */
    readonly notice?: NoticeContent,
  ) {
    if (!isOwnPath(path)) throw new Error('Nobody is sent to another site.');
  }
}

/** A notice given as a text reports success. */
export function seeOther(path: string, notice?: string | NoticeContent): SeeOther {
  return new SeeOther(path, typeof notice === 'string' ? { kind: 'accent', text: notice } : notice);
}

/** The layout that a site puts around all its pages. */
export interface Frame {
  /** The end of every title: "Orders · Dashboard". */
  name: string;
  /** No script runs on its pages. */
  isPlain?: boolean;
  /** The link on an error page. */
  home: { href: string; text: string };
  /** Returns the body of the document. */
  surround(page: Page, request: ApiRequest, notice: NoticeContent | undefined): VNode;
  /** Replaces the error page for some errors, such as a redirect to sign-in. */
  answerTo?(error: DomainError, request: ApiRequest): Page | SeeOther | undefined;
}
