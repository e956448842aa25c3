import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isJson, jsonSource } from './json-source.js';

describe('A JSON file', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'json-source-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const recordsOf = async (text: string) => {
    const file = path.join(folder, 'file.json');
    await writeFile(file, text);
    const records = [];
    for await (const batch of jsonSource(file, text.length).batches()) records.push(...batch.records);
    return records.map(({ cells }) => cells);
  };

  it.each(['[{"a', '{"a"', '[', ' [ {', '\n[\n ', '\u00EF\u00BB\u00BF['])('begins with %j', (start) =>
    expect(isJson(Buffer.from(start, 'latin1'))).toBe(true),
  );

  it.each(['', 'sku,', '[sku', '"[{"', '[[1]'])('does not begin with %j', (start) =>
    expect(isJson(Buffer.from(start, 'latin1'))).toBe(false),
  );

  it('has a row for each object, without nested values', async () => {
    const list = '[{"a": "x", "b": 232210036743849, "c": {"d": 1}}, {"b": null, "a": "=1", "e": 2}]';
    const rows = [
      ['a', 'b', 'c', 'e'],
      ['x', '232210036743849', '', ''],
      ["'=1", '', '', '2'],
    ];
    expect(await recordsOf(list)).toEqual(rows);
    expect(await recordsOf('\uFEFF{"a": "x"}')).toEqual([['a'], ['x']]);
    expect(await recordsOf('[]')).toEqual([[]]);
  });

  it.each([
    ['[{"a":', 'is not JSON'],
    ['[[1]]', 'must be a list of objects'],
    ['[null]', 'must be a list of objects'],
    ['[1]', 'must be a list of objects'],
    [`[${'{},'.repeat(10_000)}{}]`, 'has more than 10000 records: split it'],
    [
      `[{${Array.from({ length: 101 }, (_, at) => `"${at}":1`).join()}},{}]`,
      'has more than 100 names in its records',
    ],
    [`[{"a":"${'x'.repeat(4_000_000)}"}]`, 'is larger than 4 MB: split it'],
  ])('is refused: %.20s', async (text, fault) => {
    await expect(recordsOf(text)).rejects.toThrow(`The JSON file ${fault}.`);
  });
});
