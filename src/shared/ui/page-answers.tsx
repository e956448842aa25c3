import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { statusOf } from '../../platform/errors/error-codes.js';
import { CustomResponse } from '../../platform/http/send-answer.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { ASSETS } from './assets.js';
import { SubmittedFormContext } from './components/controls.js';
import { PagePath, PageZone } from './components/values.js';
import { buildSubmittedForm } from './forms.js';
import { type Frame, type NoticeContent, type Page, SeeOther } from './page.js';

/** Renders the page only when it is sent: a closed connection costs no rendering. */
class PageAnswer extends CustomResponse {
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
        title={`${isRefused(page) ? 'Error: ' : ''}${page.title} · ${frame.name}`}
        refreshSeconds={page.refreshSeconds}
        scripts={!frame.isPlain}
      >
        <PageZone.Provider value={page.timeZone ?? frame.timeZone?.(request) ?? 'UTC'}>
          <PagePath.Provider value={request.path}>
            {frame.renderBody({ ...page, content: withSubmittedForm(page, request) }, request, notice)}
          </PagePath.Provider>
        </PageZone.Provider>
      </Document>,
    );
    if (notice) appendNoticeCookie(response, '', 0);
    const bytes = Buffer.from(`<!doctype html>${html}`);
    if (page.failure?.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', page.failure.retryAfterSeconds);
    response.writeHead(page.status ?? (page.failure ? statusOf(page.failure.code) : 200), [
      ...pageHeaders({
        scripts: !frame.isPlain,
        formTargets: page.formTargets,
        staysInHistory: request.method === 'POST' && staysInHistory(page),
      }).flat(),
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      bytes.length,
    ]);
    response.end(bytes);
  }
}

/** Screen readers read the title first. */
function isRefused({ refusal, failure }: Page): boolean {
  return refusal !== undefined || failure?.errors !== undefined;
}

/**
 * Back leads to these answers to a form after its action is done. A browser shows them again only if it may
 * keep them: otherwise it asks to send the form again. They show no secrets, other answers may.
 */
const staysInHistory = ({ isReview, isFilled, failure }: Page) =>
  isReview === true || isFilled === true || failure !== undefined;

/** The form's fields show the values of this request. */
const withSubmittedForm = ({ content, failure, isFilled }: Page, { body }: ApiRequest) =>
  failure || isFilled ? (
    <SubmittedFormContext.Provider value={buildSubmittedForm(failure, body)}>
      {content}
    </SubmittedFormContext.Provider>
  ) : (
    content
  );

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
      <link rel="preload" href={ASSETS.font.path} as="font" type="font/woff2" crossorigin="anonymous" />
      <link rel="stylesheet" href={ASSETS.style.path} />
      {scripts && ASSETS.scripts.map(({ path }) => <script type="module" src={path} />)}
    </head>
    {children}
  </html>
);

export class SeeOtherAnswer extends CustomResponse {
  constructor(private readonly redirect: SeeOther) {
    super();
  }

  override send(response: Response): void {
    const { path, notice } = this.redirect;
    setPageHeaders(response);
    // A cookie, because a foreign link could forge a notice in the address.
    if (notice)
      appendNoticeCookie(response, Buffer.from(JSON.stringify(notice)).toString('base64url'), NOTICE_SECONDS);
    response.statusCode = 303;
    response.setHeader('Location', path);
    response.setHeader('Content-Length', 0);
    response.end();
  }
}

export function answerOf(result: Page | SeeOther, frame: Frame, request: ApiRequest): CustomResponse {
  if (result instanceof SeeOther) return new SeeOtherAnswer(result);
  if (result.failure) request.failure = result.failure;
  return new PageAnswer(result, frame, request);
}

/** The lifetime of a notice: long enough to reach the next page. */
const NOTICE_SECONDS = 60;
const NOTICE_STYLES = new Set<unknown>(['accent', 'warn', 'bad', 'info'] satisfies NoticeContent['kind'][]);

function appendNoticeCookie(response: Response, value: string, seconds: number): void {
  const secure = response.req.secure ? '; Secure' : '';
  response.append(
    'Set-Cookie',
    `notice=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  );
}

function readNotice({ headers }: IncomingMessage): NoticeContent | undefined {
  const value = /(?:^|;\s*)notice=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
  return value === undefined ? undefined : parseNotice(Buffer.from(value, 'base64url').toString());
}

/** Other services on the same host name can set this cookie, so check its shape. */
function parseNotice(json: string): NoticeContent | undefined {
  try {
    const { kind, text } = JSON.parse(json) as Record<string, unknown>;
    return NOTICE_STYLES.has(kind) && typeof text === 'string'
      ? ({ kind, text } as NoticeContent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of every page, file and error. */
function pageHeaders(rights: PageRights = {}): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', contentPolicy(rights)],
    ['Referrer-Policy', 'same-origin'],
    ['Cache-Control', rights.staysInHistory ? 'private, no-cache' : 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
}

/** Sets the same headers on an answer that Nest sends. */
export function setPageHeaders(response: ServerResponse): void {
  for (const [name, value] of pageHeaders()) response.setHeader(name, value);
}

/** The rights of a page. Everything else is forbidden. */
interface PageRights {
  /** Allows our scripts, and product pictures from any https origin. */
  scripts?: boolean;
  /** Foreign origins that forms may post to. */
  formTargets?: readonly string[] | undefined;
  /** The browser may keep the answer to show it for Back. */
  staysInHistory?: boolean;
}

/** Never allows inline or foreign scripts and styles. */
function contentPolicy({ scripts = false, formTargets = [] }: PageRights): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'", "img-src 'self' https:"] : ["img-src 'self'"]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
