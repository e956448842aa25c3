import { marked, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { CopyBlock, DownloadLink } from '../../shared/ui/components/controls.js';
import { Card } from '../../shared/ui/components/layout.js';
import { type ListColumn, Table, Tabs } from '../../shared/ui/components/lists.js';
import type { Page } from '../../shared/ui/page.js';
import { LANGUAGES } from './example-files.js';
import { fillGuide } from './guide-text.js';
import type { GuideProps } from './set-up.js';

interface Section {
  id: string;
  title: string;
  content: ComponentChildren[];
}

/** Shows `guide.md` with the components of all pages. */
export function guidePage(props: GuideProps): Page {
  const [title, lead, ...tokens] = marked.lexer(fillGuide(props)).filter(({ type }) => type !== 'space');
  const sections: Section[] = [];
  let mark: Mark | undefined;
  for (const token of tokens as MarkedToken[]) {
    const section = sections.at(-1);
    if (token.type === 'heading' && token.depth === 2) {
      const [, text = '', id = ''] = /^(.+) \{#([\w-]+)\}$/.exec(token.text) ?? [];
      sections.push({ id, title: text, content: [] });
    } else if (token.type === 'html') {
      mark = readMark(token.text);
      if (mark.kind === 'tabs') section!.content.push(<Languages at={section!.id} {...mark} {...props} />);
    } else section!.content.push(renderBlock(token, mark));
  }
  return {
    title: (title as Tokens.Heading).text,
    lead: (lead as Tokens.Paragraph).text,
    content: (
      <div class="guide">
        <nav class="contents" aria-label="Contents">
          <ol>
            {sections.map(({ id, title: name }) => (
              <li>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div class="stack">
          {sections.map(({ content, ...card }) => (
            <Card {...card}>{content}</Card>
          ))}
        </div>
      </div>
    ),
  };
}

/** `<!-- tabs: Place an order -->`, or `<!-- table error: Error codes -->` for ids such as `error-x`. */
interface Mark {
  kind: string;
  prefix: string | undefined;
  title: string;
}

function readMark(comment: string): Mark {
  const [, kind = '', prefix, title = ''] = /^<!-- (\w+)(?: (\w+))?: ([^>]+) -->/.exec(comment) ?? [];
  return { kind, prefix, title };
}

/** Tabs for the language. Their links keep the section. */
const Languages = ({ at, title, language }: { at: string; title: string; language: string }) => (
  <Tabs
    label={`Language: ${title}`}
    tabs={Object.entries(LANGUAGES).map(([id, { name }]) => ({
      href: `?lang=${id}#${at}`,
      text: name,
      current: id === language,
    }))}
  />
);

function renderBlock(token: MarkedToken, mark: Mark | undefined): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return <h3>{renderInline(token.tokens)}</h3>;
    case 'list':
      return (
        <ul>
          {token.items.map(({ tokens }) => (
            <li>{renderInline(tokens)}</li>
          ))}
        </ul>
      );
    case 'code': {
      const [id = '', ...label] = token.lang!.split(' ');
      return <CopyBlock id={id} label={label.join(' ')} text={token.text} />;
    }
    case 'table':
      return <Table caption={mark!.title} columns={columnsOf(token, mark!.prefix)} rows={token.rows} />;
    default:
      return renderParagraph((token as Tokens.Paragraph).tokens);
  }
}

/** A paragraph of links alone is a row of buttons that download files. */
function renderParagraph(tokens: Token[]): ComponentChildren {
  const links = tokens.filter((token): token is Tokens.Link => token.type === 'link');
  if (tokens.some(({ type, raw }) => type !== 'link' && raw.trim() !== ''))
    return <p>{renderInline(tokens)}</p>;
  return (
    <div class="actions">
      {links.map(({ href, text }) => (
        <DownloadLink href={href}>{text}</DownloadLink>
      ))}
    </div>
  );
}

/** Cells of the first column begin with a code. */
function columnsOf({ header }: Tokens.Table, prefix: string | undefined): ListColumn<Tokens.TableCell[]>[] {
  return header.map(({ text: heading }, at) => ({
    heading,
    ...(at === 0 && { as: 'title' }),
    ...(at === 1 && { as: 'line' }),
    cell: (row) => {
      const { tokens } = row[at]!;
      if (at > 0) return renderInline(tokens);
      const [code, ...more] = tokens as Tokens.Codespan[];
      const detail = more.map(({ text }) => text.trim()).join('');
      return (
        <>
          <code id={prefix && `${prefix}-${code!.text}`}>{code!.text}</code>
          {detail !== '' && (
            <>
              {' '}
              <small>{detail}</small>
            </>
          )}
        </>
      );
    },
  }));
}

function renderInline(tokens: readonly Token[]): ComponentChildren {
  return (tokens as MarkedToken[]).map((token) => {
    if (token.type === 'codespan') return <code>{token.text}</code>;
    if (token.type === 'strong') return <strong>{renderInline(token.tokens)}</strong>;
    if (token.type === 'link') return <a href={token.href}>{renderInline(token.tokens)}</a>;
    return 'tokens' in token && token.tokens
      ? renderInline(token.tokens)
      : 'text' in token
        ? token.text
        : token.raw;
  });
}
