import { renderMarkdown } from '../../shared/ui/markdown.js';
import { downloadPath, LANGUAGES } from './example-files.js';
import { guidePage } from './guide-page.js';
import type { GuideProps } from './set-up.js';

const MARKDOWN = '/docs/guide.md';

/** The guide as Markdown, with the examples in one language. */
export function guideMarkdown(props: GuideProps): string {
  const { title, lead, content } = guidePage(props);
  const others = Object.entries(LANGUAGES)
    .filter(([id]) => id !== props.language)
    .map(([id, { name }]) => `[${name}](${props.baseUrl}${MARKDOWN}?lang=${id})`);
  const { name } = LANGUAGES[props.language];
  return [
    `# ${title}`,
    String(lead),
    `The examples are for ${name}. The same guide for ${others.join(', ')}.`,
    renderMarkdown(content, props.baseUrl),
  ].join('\n\n');
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
