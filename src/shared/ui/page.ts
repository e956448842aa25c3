import type { ComponentChildren, VNode } from 'preact';
import type { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimeZone } from '../../platform/time/time.js';

export interface Link {
  href: string;
  text: string;
}

/** The content of a page. The frame decides its layout. */
export interface Page {
  /** The message of the page: "3 orders wait for payment". */
  title: string;
  /** One sentence below the title. */
  lead?: ComponentChildren;
  /** The link to the list that a detail page belongs to. */
  back?: Link;
  /** The main list of a page with a long head, for people who skip to it by keyboard. */
  skipTo?: Link;
  actions?: ComponentChildren;
  /** The reason for refusing a form, above the content. Screen readers read it first. */
  refusal?: string;
  content?: ComponentChildren;
  /** 200 by default, or the status of the failure. */
  status?: number;
  /** The error of a form. Its fields then show the typed values and the errors. */
  failure?: DomainError;
  /** It shows what a form will do, before it is done. */
  isReview?: true;
  /** The form's fields show the values of this request. */
  isFilled?: boolean;
  /** Foreign origins that forms may post to, such as the gateway's. */
  formTargets?: string[];
  /** The time zone of the page, if it differs from the person's. */
  timeZone?: TimeZone;
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
    if (!isOwnPath(path)) throw new Error('A redirect must stay on this site.');
  }
}

export type Reply = Page | SeeOther;

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
  home: Link;
  timeZone?(request: ApiRequest): TimeZone | undefined;
  renderBody(page: Page, request: ApiRequest, notice: NoticeContent | undefined): VNode;
  /** Replaces the error page for some errors, such as a redirect to sign-in. */
  pageForError?(error: DomainError, request: ApiRequest): Page | SeeOther | undefined;
}

/** A path on our origin. Browsers read `//`, `/\` and tabs as another site. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && OWN_PATH.test(path);
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Adds the parameters that are not empty. */
export function withQuery(path: string, query: Query): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
