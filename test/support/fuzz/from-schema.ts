import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

type Components = Record<string, Schema>;

/** Texts that break programs: limits of numbers, and special characters of databases, logs and encodings. */
const TRICKY_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\ufeff',
  '١٢٣',
  '%00',
  '..',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  'a\r\nX-Evil: 1',
  '𝒳'.repeat(40),
  'é'.normalize('NFD'),
  'x'.repeat(1_001),
  '-0',
  '1e308',
  '9007199254740993',
];

const WRONG_NUMBERS = [-1, 0, -0, 1.5, 2_147_483_647, 2_147_483_648, 9_007_199_254_740_992, 1e308, -1e308];

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(...TRICKY_TEXTS, ...WRONG_NUMBERS, null, true, [], {}, [[]], { __proto__: null }),
);

/** Returns values of the schema, sometimes with a wrong value in one place. */
export function fromSchema(
  schema: Schema,
  components: Components,
  known: Record<string, string[]>,
): fc.Arbitrary<unknown> {
  const build = (node: Schema, name: string): fc.Arbitrary<unknown> => {
    const expected = node.$ref
      ? components[node.$ref.split('/').at(-1)!]!
      : (node.allOf?.[0] ?? node.anyOf?.[0] ?? node.oneOf?.[0] ?? node);
    if (expected !== node) return build(expected, name);
    return fc.oneof({ weight: 80, arbitrary: validValue(node, name) }, { weight: 1, arbitrary: anything });
  };
  const validValue = (node: Schema, name: string): fc.Arbitrary<unknown> => {
    if (known[name]) return fc.constantFrom(...known[name]);
    if (node.enum) return fc.constantFrom(...node.enum);
    const type = Array.isArray(node.type) ? node.type[0] : node.type;
    if (type === 'object') return objectOf(node);
    if (type === 'array') {
      return fc.array(build(node.items ?? {}, name), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? 4, 4),
      });
    }
    if (type === 'integer')
      return fc.integer({ min: node.minimum ?? 0, max: Math.min(node.maximum ?? 5, 5) });
    if (type === 'number') return fc.double({ min: 0, max: 1e6, noNaN: true });
    if (type === 'boolean') return fc.boolean();
    return text(node);
  };
  const text = ({ minLength = 1, maxLength = 30 }: Schema): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 100, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, 30) }) },
      { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: maxLength + 1 }) },
      { weight: 1, arbitrary: fc.constantFrom(...TRICKY_TEXTS) },
    );
  const objectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> => {
    const fields = Object.entries(properties).map(([name, node]) => [name, build(node, name)] as const);
    const whole = fc.record(Object.fromEntries(fields), { requiredKeys: required });
    const withMore = fc
      .tuple(whole, fc.dictionary(fc.string(), anything, { maxKeys: 2 }))
      .map(([some, more]) => ({ ...more, ...some }));
    const partial = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    return fc.oneof(
      { weight: 8, arbitrary: whole },
      { weight: 1, arbitrary: withMore },
      { weight: 1, arbitrary: partial },
    );
  };
  return build(schema, '');
}
