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
});
