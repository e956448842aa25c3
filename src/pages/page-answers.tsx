import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Answer } from '../platform/http/send-answer.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { ASSETS } from './assets.js';
import { forgetNotice, keepNotice, readNotice } from './notice-cookie.js';
import { pageHeaders, setPageHeaders } from './page-headers.js';
import { type Frame, type Page, SeeOther } from './page.js';

/** A page, rendered only when it is sent: a closed connection costs no rendering. */
class PageAnswer extends Answer {
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

interface DocumentProps {
  title: string;
  refreshSeconds: number | undefined;
  scripts: boolean;
  children: ComponentChildren;
}

/** Every page loads all scripts, so no page can forget one. A browser fetches them once. */
const Document = ({ title, refreshSeconds, scripts, children }: DocumentProps) => (
  <html lang="en" data-refresh={scripts ? refreshSeconds : undefined}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      {refreshSeconds !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(refreshSeconds)} />
        </noscript>
      )}
      <title>{title}</title>
      <link rel="icon" href={ASSETS.icon.path} type="image/svg+xml" />
      <link rel="stylesheet" href={ASSETS.style.path} />
      {scripts && ASSETS.scripts.map(({ path }) => <script type="module" src={path} />)}
    </head>
    {children}
  </html>
);

class SeeOtherAnswer extends Answer {
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

export function answerOf(result: Page | SeeOther, frame: Frame, request: ApiRequest): Answer {
  return result instanceof SeeOther ? new SeeOtherAnswer(result) : new PageAnswer(result, frame, request);
}
