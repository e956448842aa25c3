import { type ComponentChildren, Fragment, isValidElement, type VNode } from 'preact';

type Props = Readonly<Record<string, unknown>> & { children?: ComponentChildren };

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** Of each element and attribute that was met, what is written before and after it: the same few over and over. */
const openings = new Map<string, string>();
const endings = new Map<string, string>();
const attributes = new Map<string, string>();

/**
 * What Preact's own renderer makes of a page, in half the time: ours are plain functions of their properties, without state, hooks and
 * contexts. What else it does not do (styles, markup, listeners) is an error.
 */
export function renderHtml(page: VNode): string {
  return append('', page);
}

function append(html: string, node: ComponentChildren): string {
  if (typeof node === 'string') return html + escaped(node);
  if (typeof node === 'number') return html + String(node);
  if (typeof node !== 'object' || node === null) return html;
  if (Array.isArray(node)) {
    let longer = html;
    for (const each of node) longer = append(longer, each);
    return longer;
  }
  // Nothing that has come of JSON is one.
  if (!isValidElement(node)) throw new TypeError('Only elements and texts can be shown.');
  const { type, props } = node as VNode<Props>;
  if (typeof type === 'string') return appendElement(html, type, props);
  return append(
    html,
    type === Fragment ? props.children : (type as (props: Props) => ComponentChildren)(props),
  );
}

function appendElement(html: string, type: string, props: Props): string {
  let longer = html + (openings.get(type) ?? learn(openings, type, `<${nameOf(type)}`));
  for (const name in props) {
    if (name !== 'children') longer = appendAttribute(longer, name, props[name]);
  }
  if (VOID.has(type)) return `${longer}/>`;
  return (
    append(`${longer}>`, props.children) + (endings.get(type) ?? learn(endings, type, `</${nameOf(type)}>`))
  );
}

/** Besides `aria-` and `data-`, which say true or false. All others are there or not. */
const SAYING_FALSE = new Set(['draggable', 'spellcheck']);

function appendAttribute(html: string, name: string, value: unknown): string {
  if (value === undefined || value === null) return html;
  const before = attributes.get(name) ?? learn(attributes, name, ` ${nameOf(name)}`);
  if (typeof value === 'string') return value === '' ? html + before : `${html}${before}="${escaped(value)}"`;
  if (typeof value === 'number') return `${html}${before}="${value}"`;
  if (typeof value !== 'boolean') throw new TypeError(`No attribute takes what "${name}" was given.`);
  if (name[4] === '-' || SAYING_FALSE.has(name)) return `${html}${before}="${value}"`;
  return value ? html + before : html;
}

/** Elements and attributes that JSX may call otherwise than HTML, which has all others in small letters. */
const NAMES: Record<string, string> = {
  className: 'class',
  htmlFor: 'for',
  httpEquiv: 'http-equiv',
  acceptCharset: 'accept-charset',
  viewBox: 'viewBox',
  preserveAspectRatio: 'preserveAspectRatio',
};

const WELL_FORMED = /^[a-z][a-z\d-]*$/i;

function nameOf(name: string): string {
  if (!WELL_FORMED.test(name)) throw new TypeError(`HTML knows no "${name}".`);
  return NAMES[name] ?? name.toLowerCase();
}

function learn(known: Map<string, string>, name: string, text: string): string {
  known.set(name, text);
  return text;
}

const SPECIAL = /["&<]/;
const EACH_SPECIAL = /["&<]/g;
const ENTITIES: Record<string, string> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' };

/** Good between tags and between quotes. Looking first is quicker: most texts are as they are. */
function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (found) => ENTITIES[found]!) : text;
}
