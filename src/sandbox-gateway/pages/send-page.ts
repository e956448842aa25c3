import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from './html.js';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}' +
  'button{font:inherit;margin:.25rem .25rem .25rem 0;padding:.5rem 1rem}' +
  '.test{background:#fd6;color:#000;padding:.5rem 1rem}';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** In one piece: a space more, and its hash would be another. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** No script runs on it, and its forms go to us, or to where they were told to return. */
export function sendPage(response: Response, title: string, content: Html, returnsTo?: string): void {
  const targets = ["'self'", ...(returnsTo === undefined ? [] : [new URL(returnsTo).origin])];
  response
    .set({
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src 'sha256-${STYLE_HASH}'`,
        `form-action ${targets.join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .type('html')
    .send(pageOf(title, content).text);
}

function pageOf(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <p class="test">Test payments: no money moves.</p>
        <h1>${title}</h1>
        ${content}
      </body>
    </html> `;
}
