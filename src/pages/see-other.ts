import type { NoticeContent } from './notice-content.js';
import { isOwnPath } from './own-path.js';

/** What a form is answered with: the browser goes on to a page, which a reload then asks for again instead of posting twice. */
export class SeeOther {
  constructor(
    readonly path: string,
    /** Is shown once, on the page that comes next. */
    readonly notice?: NoticeContent,
  ) {
    if (!isOwnPath(path)) throw new Error('Nobody is sent to another site.');
  }
}

/** A notice that is just a text tells of something that went well. */
export function seeOther(path: string, notice?: string | NoticeContent): SeeOther {
  return new SeeOther(path, typeof notice === 'string' ? { kind: 'accent', text: notice } : notice);
}
