import type { ServerResponse } from 'node:http';
import { Answer } from '../platform/http/answer.js';
import { noticeCookie } from './notice-cookie.js';
import { setPageHeaders } from './page-headers.js';
import type { SeeOther } from './see-other.js';

export class SeeOtherAnswer extends Answer {
  constructor(private readonly goal: SeeOther) {
    super();
  }

  override send(response: ServerResponse): void {
    const { path, notice } = this.goal;
    setPageHeaders(response);
    if (notice) response.appendHeader('Set-Cookie', noticeCookie(notice));
    response.statusCode = 303;
    response.setHeader('Location', path);
    response.setHeader('Content-Length', 0);
    response.end();
  }
}
