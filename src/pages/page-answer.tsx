import type { Response } from 'express';
import { Answer } from '../platform/http/answer.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { Document } from './document.js';
import type { Frame } from './frame.js';
import { forgetNotice, readNotice } from './notice-cookie.js';
import type { Page } from './page.js';
import { pageHeaders } from './page-headers.js';
import { renderHtml } from './render-html.js';

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
    const html = renderHtml(
      <Document
        title={`${page.title} · ${frame.name}`}
        refreshSeconds={page.refreshSeconds}
        scripts={!frame.isPlain}
      >
        {frame.surround(page, request, notice)}
      </Document>,
    );
    if (notice) forgetNotice(response);
    const bytes = Buffer.from(`<!doctype html>${html}`);
    response.writeHead(page.status ?? 200, [
      ...pageHeaders({ scripts: !frame.isPlain, formTargets: page.formTargets }).flat(),
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      bytes.length,
    ]);
    response.end(bytes);
  }
}
