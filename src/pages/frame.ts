import type { VNode } from 'preact';
import type { DomainError } from '../platform/errors/domain-error.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import type { NoticeContent } from './notice-content.js';
import type { Page } from './page.js';
import type { SeeOther } from './see-other.js';

/** What a door puts around all its pages. */
export interface Frame {
  /** Ends the title of every page: "Orders · Dashboard". */
  name: string;
  /** No script runs on its pages, not even one of ours. */
  isPlain?: boolean;
  /** Where somebody goes on who has come to nothing. */
  home: { href: string; text: string };
  /** The body of the document, for whoever asked. */
  surround(page: Page, request: ApiRequest, notice: NoticeContent | undefined): VNode;
  /** How the door answers an error that it knows better than "that did not work": who is not signed in is sent to where one does. */
  answerTo?(error: DomainError, request: ApiRequest): Page | SeeOther | undefined;
}
