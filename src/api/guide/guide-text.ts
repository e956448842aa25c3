import { readFileSync } from 'node:fs';
import { TEST_FAILURES } from '../../platform/access/test-failure.js';
import { ERROR_CODES, FIELD_CODES } from '../../platform/errors/error-codes.js';
import { DOCUMENT_KINDS } from '../../modules/invoices/rules/document-number.js';
import { ORDER_LIMITS } from '../../modules/orders/placing/create-order.request.js';
import type { OrderStatus } from '../../modules/orders/rules/order-transitions.js';
import { LIST_POLL_SECONDS, POLL_SECONDS } from '../../modules/orders/store-orders.js';
import {
  MAX_TEST_ORDERS,
  TEST_ORDER_RETENTION_DAYS,
} from '../../modules/test-orders/test-orders.repository.js';
import { formatNumber } from '../../platform/formats.js';
import { apiChanges } from './api-changes.js';
import { CHANGELOG, downloadPath, exampleText, LANGUAGES } from './example-files.js';
import { type GuideProps, setUpScript } from './set-up.js';

const SOURCE = readFileSync(new URL('guide.md', import.meta.url), 'utf8');

const MARKDOWN = '/docs/guide.md';

/**
 * `guide.md` with its placeholders filled. `{{#trial}}…{{/trial}}` stays for a trial only, `{{^trial}}…` for
 * others. What only the page uses is left in it: ids of sections and code, captions and tabs.
 */
export function fillGuide(props: GuideProps): string {
  const facts: Record<string, boolean> = {
    trial: props.settings.isOnTrial,
    anyDomain: !props.settings.isOnTrial && props.domain === undefined,
    client: props.language !== 'curl',
    limit: props.settings.rateLimitPerMinute > 0,
  };
  let text = '';
  let isIncluded = true;
  for (const [at, part] of SOURCE.split(/\{\{([^{}]*)\}\}/).entries()) {
    const [, mark, name = ''] = /^([#^/])(\w+)$/.exec(part) ?? [];
    if (at % 2 === 1 && mark !== undefined) isIncluded = mark === '/' || facts[name] === (mark === '#');
    else if (isIncluded)
      text += at % 2 === 1 ? valueOf(part, props) : text.endsWith('\n\n') ? part.trimStart() : part;
  }
  return text;
}

function valueOf(placeholder: string, props: GuideProps): string {
  const [, name, title] = /^example ([\w-]+): (.+)$/.exec(placeholder) ?? [];
  if (name !== undefined) return renderExample(name, title!, props);
  const poll = /^poll (\w+)$/.exec(placeholder)?.[1];
  if (poll !== undefined) return formatSpan(POLL_SECONDS[poll as OrderStatus]);
  const values: Record<string, string> = {
    language: LANGUAGES[props.language].name,
    orderLines: String(ORDER_LIMITS.items),
    orderUnits: formatNumber(ORDER_LIMITS.quantity),
    paymentHours: String(props.settings.paymentWindowHours),
    listPoll: formatSpan(LIST_POLL_SECONDS),
    testOrders: formatNumber(MAX_TEST_ORDERS),
    testOrderDays: String(TEST_ORDER_RETENTION_DAYS),
    rateLimit: formatNumber(props.settings.rateLimitPerMinute),
    documentKinds: DOCUMENT_KINDS.map((kind) => `\`${kind}\``)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1'),
    testFailures: renderTable(['Value', 'What happens'], codeRows(TEST_FAILURES)),
    errorCodes: renderTable(
      ['Code', 'Meaning', 'What to do'],
      Object.entries(ERROR_CODES).map(([code, [status, ...texts]]) => [`\`${code}\` ${status}`, ...texts]),
    ),
    fieldCodes: renderTable(['Code', 'Meaning'], codeRows(FIELD_CODES)),
    apiChanges: apiChanges(CHANGELOG)
      .map(({ when, texts }) => `### ${when}\n\n${texts.map((text) => `- ${text}`).join('\n')}`)
      .join('\n\n'),
  };
  const value = values[placeholder];
  if (value === undefined) throw new Error(`guide.md has an unknown placeholder: ${placeholder}`);
  return value;
}

/** Number and unit stay on one line. */
function formatSpan(seconds: number): string {
  return seconds < 3_600 ? `${seconds / 60}\u00a0min` : `${seconds / 3_600}\u00a0h`;
}

const codeRows = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings).map(([code, meaning]) => [`\`${code}\``, meaning]);

function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return [headings, headings.map(() => '---'), ...escaped]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The tabs for the language, the code, and the line that runs it. */
function renderExample(name: string, title: string, props: GuideProps): string {
  const { extension, ...language } = LANGUAGES[props.language];
  const block = (id: string, label: string, text: string) => `\`\`\`${id} ${label}\n${text}\n\`\`\``;
  const tabs = `<!-- tabs: ${title} -->`;
  if (name === 'set-up') return `${tabs}\n\n${block(name, title, setUpScript(props))}`;
  const file = `${name}.${extension}`;
  const blocks = [tabs, block(`${name}-code`, title, exampleText(file))];
  if ('program' in language) {
    const run = `curl -sSO "$API${downloadPath(file)}" && ${language.program} ${file}`;
    blocks.push(block(`${name}-run`, `Run: ${title}`, run));
  }
  return blocks.join('\n\n');
}

/** The guide as Markdown for programs: without the marks of the page, and with whole addresses. */
export function guideMarkdown(props: GuideProps): string {
  const others = Object.entries(LANGUAGES)
    .filter(([id]) => id !== props.language)
    .map(([id, { name }]) => `[${name}](${MARKDOWN}?lang=${id})`);
  const { name } = LANGUAGES[props.language];
  const languages = `The examples are for ${name}. The same guide for ${others.join(', ')}.`;
  return fillGuide(props)
    .replace('\n\n## ', `\n\n${languages}\n\n## `)
    .replaceAll(/^<!--.*\n\n/gm, '')
    .replaceAll(/ \{#[\w-]+\}$/gm, '')
    .replaceAll(/^```[\w-].*$/gm, '```')
    .replaceAll('](/', `](${props.baseUrl}/`);
}
/** Where programs find everything, in the form of https://llmstxt.org. */
export function programsIndex(baseUrl: string): string {
  const link = (name: string, path: string, about: string) => `- [${name}](${baseUrl}${path}): ${about}`;
  const guides = Object.entries(LANGUAGES).map(([id, { name }]) =>
    link(`Guide for ${name}`, `${MARKDOWN}?lang=${id}`, 'from the token to the first order, and all errors'),
  );
  return `${[
    '# Wholesale Order API',
    "> An HTTP API in JSON: read a wholesale catalog at your plan's prices, check stock, place orders and " +
      'follow them. There are no webhooks: stores poll for changes.',
    '## Guide',
    guides.join('\n'),
    '## Reference',
    link('OpenAPI document', '/docs/openapi.json', 'every address, field and error, with code for each'),
    '## Clients',
    [
      link('PHP', downloadPath('wholesale.php'), 'one file without packages'),
      link('Python', downloadPath('wholesale.py'), 'one file without packages'),
      link('Node.js', downloadPath('wholesale.mjs'), 'one file without packages'),
    ].join('\n'),
  ].join('\n\n')}\n`;
}
