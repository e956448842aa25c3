import fc from 'fast-check';
import { type JsonSize, measureJson } from './measure-json.js';

/** The same, found out by making it. */
function measure(value: unknown): JsonSize {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1, fields: 0 };
  const within = Object.values(value).map(measure);
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return {
    depth: 1 + Math.max(0, ...within.map(({ depth }) => depth)),
    values: 1 + within.reduce((sum, { values }) => sum + values, 0),
    fields: Math.max(own, ...within.map(({ fields }) => fields)),
  };
}

describe('measureJson', () => {
  it.each([
    ['{}', { depth: 1, values: 1, fields: 0 }],
    ['[[],{}]', { depth: 2, values: 3, fields: 0 }],
    ['{"a":1,"b":{"c":[true,null,"x"]}}', { depth: 3, values: 7, fields: 2 }],
    [String.raw`{"a\"{[:,":"\\","€":"\"]}"}`, { depth: 1, values: 3, fields: 2 }],
    [' [ -1.5e+3 ,\n\t"" ] ', { depth: 1, values: 3, fields: 0 }],
    ['7', { depth: 0, values: 1, fields: 0 }],
    ['{"a":1,"a":2}', { depth: 1, values: 3, fields: 2 }],
  ])('sees in %s what there is', (text, expected) => {
    expect(measureJson(Buffer.from(text))).toEqual(expected);
  });

  it('sees in any JSON what would be made of it, indented or not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, indented) => {
        const text = JSON.stringify(value, null, indented ? 2 : 0);
        expect(measureJson(Buffer.from(text))).toEqual(measure(JSON.parse(text)));
      }),
    );
  });

  it('counts what was there before it is no JSON any more', () => {
    expect(measureJson(Buffer.from('{"a":1,"b":2}}}:'))).toMatchObject({ fields: 2 });
    expect(measureJson(Buffer.from(`${'['.repeat(60_000)}`))).toMatchObject({ depth: 60_000 });
    expect(measureJson(Buffer.from('{"never closed \\'))).toMatchObject({ depth: 1 });
  });

  it('comes to an end whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(measureJson(bytes).values).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
