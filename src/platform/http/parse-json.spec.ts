import * as fc from 'fast-check';
import { parseJson } from './parse-json.js';

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const numbers = (count: number) => `[${Array(count).fill(1).join()}]`;
const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"f${n}":1`).join()}}`;

describe('parseJson', () => {
  it.each([
    ['32 levels', `{"a":${lists(31)}}`],
    // Together with the body itself and the list.
    ['10,000 values', `{"a":${numbers(9_998)}}`],
    ['200 fields', fields(200)],
    ['no bytes', ''],
  ])('takes %s', (_, text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text || '{}'));
  });

  it.each([
    ['33 levels', `{"a":${lists(32)}}`, 'nested more than 32 levels'],
    ['60,000 levels', `{"a":${lists(60_000)}}`, 'nested more than 32 levels'],
    ['60,000 levels without an end', '['.repeat(60_000), 'not well-formed'],
    ['10,001 values', `{"a":${numbers(9_999)}}`, 'at most 10000 values'],
    ['201 fields', `{"a":[${fields(201)}]}`, 'at most 200 fields'],
    ['half a character', Buffer.from([0x22, 0xc3, 0x22]), 'not valid UTF-8'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => parseJson(Buffer.from(bytes as string))).toThrow(message);
  });

  it.each([
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":{"b":1},"c":[{"b":1,"d":"\\"b\\":","b" \n: 1}]}', '"b"'],
    [String.raw`{"q":1,"\u0071":2}`, '"q"'],
    [String.raw`{"a\\":1,"a\\":{}}`, '"a\\\\"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    [`{"${'x'.repeat(99)}":1,"${'x'.repeat(99)}":2}`, `"${'x'.repeat(64)}…"`],
  ])('refuses a field that stands twice in one object: %s', (text, name) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(`An object has the field ${name} twice.`);
  });

  it.each([
    String.raw`{"a":"a\":1","b":"\\","c":{"a":"{\"a\":"},"d":[{"a":1},{"a":1}],"":["a",":"]}`,
    '{"a" : "b" , "c"\t:\r\n"d"}',
    '{"__proto__":{"a":1},"constructor":1}',
  ])('takes fields of one name in several objects, and colons in texts: %s', (text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('counts names as JSON does', () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 20 });
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a": 1,\n  "b": }', 'line 2, column 8'],
    ['{"a": 1,}', 'line 1, column 9'],
    ["{'a': 1}", 'line 1, column 2'],
    ['{"a": 1', 'line 1, column 8'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{"a": "x\ny"}', 'line 1, column 7'],
    ['[1, 2', 'line 1, column 6'],
    ['{"a": [1, 2}', 'line 1, column 12'],
    ['{"a": 01}', 'line 1, column 8'],
    ['{"a": NaN}', 'line 1, column 7'],
    ['{} {}', 'line 1, column 4'],
    ['{"a": 1}\n]', 'line 2, column 1'],
    ['\n\n', 'line 3, column 1'],
  ])('tells the place of the fault in %j: %s', (text, place) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(`The body is not well-formed JSON: see ${place}.`);
  });

  it.each([
    ['33 levels', '['.repeat(33)],
    ['10,001 words', `[${'1,'.repeat(5_000)}]`],
  ])('does not look for the fault after %s', (_, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(/^The body is not well-formed JSON\.$/);
    expect(() => parseJson(Buffer.from(text.slice(0, -2)))).toThrow('see line 1');
  });
});
