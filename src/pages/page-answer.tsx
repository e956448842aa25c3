import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Answer } from '../platform/http/answer.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { Document } from './document.js';
import type { Frame } from './frame.js';
import { forgetNotice, readNotice } from './notice-cookie.js';
import type { Page } from './page.js';
import { setPageHeaders } from './page-headers.js';

/** A page on its way out. It is rendered when it is sent: not at all for who has hung up meanwhile. */
export class PageAnswer extends Answer {
  constructor(
    private readonly page: Page,
    private readonly frame: Frame,
    private readonly request: ApiRequest,
  ) {
    super();
  }

  override send(response: Response): void {
    const { page, frame, request } = this;
    const notice = readNotice(request);
    const html = renderToString(
      <Document
        title={`${page.title} · ${frame.name}`}
        refreshSeconds={page.refreshSeconds}
        scripts={!frame.isPlain}
      >
        {frame.surround(page, request, notice)}
      </Document>,
    );
    setPageHeaders(response, { scripts: !frame.isPlain, formTargets: page.formTargets });
    if (notice) forgetNotice(response);
    response.statusCode = page.status ?? 200;
    const bytes = Buffer.from(`<!doctype html>${html}`);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }
}
