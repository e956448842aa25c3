import type { Response } from 'express';
import { Answer } from '../platform/http/answer.js';
import { keepNotice } from './notice-cookie.js';
import { setPageHeaders } from './page-headers.js';
import type { SeeOther } from './see-other.js';

export class SeeOtherAnswer extends Answer {
  constructor(private readonly goal: SeeOther) {
    super();
  }

  override send(response: Response): void {
    const { path, notice } = this.goal;
    setPageHeaders(response);
    if (notice) keepNotice(response, notice);
    response.statusCode = 303;
    response.setHeader('Location', path);
    response.setHeader('Content-Length', 0);
    response.end();
  }
}
