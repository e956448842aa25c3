/** Returns the text of a page without its markup. */
export function readable(html: string): string {
  return unescaped(
    withoutShortNumbers(html)
      .replace(/<title>.*?<\/title>/s, '')
      .replace(/<[^>]+>/g, ' '),
  ).replace(/\s+/g, ' ');
}

/** A number of an order in a list is read as a whole. */
function withoutShortNumbers(html: string): string {
  return html.replace(
    /<span class="number" title="([^"]*)">(?:<span class="number-beginning">[^<]*<\/span>)?[^<]*<\/span>/g,
    '$1',
  );
}

export function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => CHARACTERS[name]!);
}

const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

/** Expects the status of an answer, and these words on its page. */
export function expectPage({ status, text }: { status: number; text: string }, code: number, words: string) {
  expect([status, readable(text)]).toEqual([code, expect.stringContaining(words)]);
}

/** Returns the heading of the page. */
export function headline(html: string): string {
  return readable(/<h1>.*?<\/h1>/s.exec(html)?.[0] ?? '').trim();
}

/** Returns the text of the rows of the first table. */
export function rows(html: string): string[] {
  const body = /<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? '';
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => readable(row!).trim());
}

/** Returns the target of the link with this text. */
export function linkOf(html: string, text: string): string {
  const [, href] =
    new RegExp(`<a [^>]*href="([^"]*)"[^>]*>(?:<svg(?:(?!</svg>).)*</svg>)?${text}`, 's').exec(
      withoutShortNumbers(html),
    ) ?? [];
  if (href === undefined) throw new Error(`There is no link ${text}.`);
  return href.replaceAll('&amp;', '&');
}

/** Returns the hidden fields of the forms of the page, and the switches that are on. */
export function hiddenFields(html: string): Record<string, string[]> {
  return inputs(html, (input) => input.includes('type="hidden"') || /role="switch".* checked/.test(input));
}

/** Returns what the forms of the page send, without lists and areas of text. */
export function formFields(html: string): Record<string, string[]> {
  return inputs(html, (input) => !/type="(checkbox|radio|file)"/.test(input) || input.includes(' checked'));
}

function inputs(html: string, isSent: (input: string) => boolean): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [input] of html.matchAll(/<input [^>]*>/g)) {
    if (!isSent(input)) continue;
    const [, name = ''] = /name="([^"]*)"/.exec(input) ?? [];
    (fields[name] ??= []).push(unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
  }
  return fields;
}

/** The notice of a redirect, which the next page shows. */
export function noticeIn(headers: Record<string, unknown>): string {
  const [, notice = ''] = /notice=([\w-]+)/.exec(String(headers['set-cookie'])) ?? [];
  return Buffer.from(notice, 'base64url').toString();
}
