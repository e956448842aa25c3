import type { ComponentChildren, VNode } from 'preact';

type Props = Record<string, unknown> & { children?: ComponentChildren };

/** What only people with a browser use. */
const SKIPPED = new Set(['nav', 'button', 'svg']);

const INLINE = new Set(['a', 'br', 'code', 'small', 'span', 'strong', 'time']);

/**
 * A page's content as Markdown: headings, paragraphs, lists, tables and code. Links to this service get its
 * origin. The content must not use the contexts of pages.
 */
export function renderMarkdown(content: ComponentChildren, origin: string): string {
  return `${new MarkdownWriter(origin).blocks(content).join('\n\n')}\n`;
}

class MarkdownWriter {
  constructor(private readonly origin: string) {}

  blocks(content: ComponentChildren): string[] {
    const blocks: string[] = [];
    let line = '';
    const endLine = () => {
      if (line.trim() !== '') blocks.push(line.trim());
      line = '';
    };
    for (const node of expand(content))
      if (isElement(node) && !INLINE.has(node.type)) {
        endLine();
        blocks.push(...this.block(node));
      } else {
        // A row of buttons has no spaces.
        const isNextLink = isElement(node) && node.type === 'a' && line.endsWith(')');
        line += (isNextLink ? ' ' : '') + this.inline(node);
      }
    endLine();
    return blocks;
  }

  private block({ type, props }: Element): string[] {
    const { children } = props;
    const heading = /^h([1-6])$/.exec(type);
    if (heading) return [`${'#'.repeat(Number(heading[1]))} ${this.inline(children)}`];
    if (type === 'pre') return [['```', textOf(children).trimEnd(), '```'].join('\n')];
    if (type === 'ul' || type === 'ol') {
      const items = elementsIn(children, 'li').map(({ props: item }, at) => {
        const text = this.inline(item.children).trim();
        return `${type === 'ul' ? '-' : `${at + 1}.`} ${text}`;
      });
      return [items.join('\n')];
    }
    return type === 'table' ? [this.table(children)] : this.blocks(children);
  }

  private table(children: ComponentChildren): string {
    const rows = elementsIn(children, 'tr').map(({ props }) =>
      expand(props.children).map((cell) => this.cell(cell)),
    );
    const [headings = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
    return [headings, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...body].join('\n');
  }

  private cell(node: Node): string {
    return this.inline(isElement(node) ? node.props.children : node)
      .trim()
      .replaceAll('|', '\\|');
  }

  private inline(content: ComponentChildren): string {
    return expand(content)
      .map((node) => {
        if (!isElement(node)) return escapeText(node);
        const { type, props } = node;
        if (type === 'code') return `\`${textOf(props.children)}\``;
        const text = this.inline(props.children);
        if (type === 'strong') return `**${text}**`;
        return type === 'a' ? `[${text}](${this.addressOf(String(props.href))})` : text;
      })
      .join('');
  }

  private addressOf(href: string): string {
    return href.startsWith('/') ? this.origin + href : href;
  }
}

interface Element {
  type: string;
  props: Props;
}

type Node = Element | string;

const isElement = (node: Node): node is Element => typeof node !== 'string';

/** The elements and texts, with components called and fragments opened. */
function expand(content: ComponentChildren): Node[] {
  if (Array.isArray(content)) return content.flatMap(expand);
  if (content === null || content === undefined || typeof content === 'boolean') return [];
  if (typeof content !== 'object') return [String(content)];
  const { type, props } = content as VNode<Props>;
  if (typeof type === 'function') return expand((type as (given: Props) => ComponentChildren)(props));
  return SKIPPED.has(type) ? [] : [{ type, props }];
}

/** All elements of a type, in any depth. */
function elementsIn(content: ComponentChildren, type: string): Element[] {
  return expand(content)
    .filter(isElement)
    .flatMap((one) => (one.type === type ? [one] : elementsIn(one.props.children, type)));
}

function textOf(content: ComponentChildren): string {
  return expand(content)
    .map((node) => (isElement(node) ? textOf(node.props.children) : node))
    .join('');
}

/** Markdown would read these as marks. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\*_<[\]]/g, String.raw`\$&`);
}
