import fc from 'fast-check';
import { type ComponentChildren, createElement, Fragment, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderHtml } from './render-html.js';

const Bold = ({ children, ...rest }: { children?: ComponentChildren }) => <b {...rest}>{children}</b>;
const Several = ({ children }: { children?: ComponentChildren }) => [children, ' and ', <i>more</i>];
const Nothing = () => null;

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '<',
    '>',
    '&',
    '"',
    "'",
    '&amp;',
    '</p>',
    '<!--',
    '₹1,234.50',
    '−',
    '\u00a0',
    '😀',
    '\ud83d',
  ),
  fc.string(),
);

const NAMES = [
  'class',
  'id',
  'value',
  'for',
  'href',
  'aria-label',
  'data-minor',
  'disabled',
  'spellcheck',
  'hidden',
  'tabindex',
  'http-equiv',
];

const EMPTY = new Set<unknown>(['input', 'br', 'img']);

const attributes = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
);

const { tree } = fc.letrec<{ tree: VNode; node: ComponentChildren }>((tie) => ({
  tree: fc
    .tuple(
      fc.constantFrom(
        'p',
        'td',
        'a',
        'svg',
        'path',
        'input',
        'br',
        'img',
        'textarea',
        Fragment,
        Bold,
        Several,
        Nothing,
      ),
      attributes,
      fc.array(tie('node'), { maxLength: 4 }),
    )
    .map(([type, { value, ...props }, children]) =>
      // Preact shows the value of a <textarea> as its content, and we write content as content.
      createElement(
        type as string,
        type === 'textarea' ? props : { ...props, value },
        ...(EMPTY.has(type) ? [] : children),
      ),
    ),
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'tree' },
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'tree' }),
    tie('tree'),
  ),
}));

describe('Rendering a page', () => {
  it('comes out as with Preact, whatever is in it', () => {
    fc.assert(
      fc.property(tree, (page) => {
        expect(renderHtml(page)).toBe(renderToString(page));
      }),
      { numRuns: 2_000 },
    );
  });

  it('calls attributes as HTML does, however they are called in JSX', () => {
    const page = (
      <label className="a" htmlFor="b" tabIndex={1}>
        <input readOnly maxLength={3} autoComplete="off" formAction="/c" />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" />
      </label>
    );
    expect(renderHtml(page)).toBe(renderToString(page));
  });

  it('lets nobody write markup, neither as a text nor as an attribute', () => {
    const evil = `"><script>alert('&')</script>`;
    expect(renderHtml(<p title={evil}>{evil}</p>)).toBe(
      `<p title="&quot;>&lt;script>alert('&amp;')&lt;/script>">&quot;>&lt;script>alert('&amp;')&lt;/script></p>`,
    );
  });

  it('takes nothing for an element that has come of JSON', () => {
    const forged = JSON.parse(JSON.stringify(<script src="//evil.example" />)) as object;
    expect(() => renderHtml(<p>{forged}</p>)).toThrow('Only elements and texts can be shown.');
  });

  it.each([
    ['a name that is none', () => createElement('p', { 'x onclick': '1' } as object)],
    ['an element that is none', () => createElement('p onclick', null)],
    ['markup', () => <p dangerouslySetInnerHTML={{ __html: '<b>' }} />],
    ['a style', () => <p style={{ color: 'red' }} />],
    ['what the browser should do', () => <p onClick={() => undefined} />],
  ])('refuses %s, which it would get wrong', (_, make) => {
    expect(() => renderHtml(make())).toThrow(TypeError);
  });
});
