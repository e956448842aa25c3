import { readFile } from 'node:fs/promises';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type RecordSource, rowsSource } from './record-source.js';

/** The file is parsed in one step, in less than 50 ms. */
const MAX_JSON_BYTES = 4_000_000;
const MAX_RECORDS = 10_000;
const MAX_NAMES = 100;

/** Recognises a JSON file with records by its first characters. */
export function isJson(start: Buffer): boolean {
  return /^(\xEF\xBB\xBF)?\s*(\{|\[\s*($|\{))/.test(start.toString('latin1'));
}

/** A list of flat objects, or one object. Their names are the heading. Nested values are left out. */
export function jsonSource(path: string, size: number): RecordSource {
  return {
    async *batches() {
      if (size > MAX_JSON_BYTES) throw unreadableJson(`is larger than ${MAX_JSON_BYTES / 1e6} MB: split it`);
      yield* rowsSource(...toRows(parseRecords(await readFile(path, 'utf8')))).batches();
    },
  };
}

function parseRecords(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw unreadableJson('is not JSON');
  }
  const records = [value].flat() as Record<string, unknown>[];
  if (records.length > MAX_RECORDS) throw unreadableJson(`has more than ${MAX_RECORDS} records: split it`);
  if (records.some((record) => typeof record !== 'object' || record === null || Array.isArray(record)))
    throw unreadableJson('must be a list of objects');
  return records;
}

/** A record may lack columns of other records. */
function toRows(records: readonly Record<string, unknown>[]): string[][] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  // Each record gets a cell for each name.
  if (names.length > MAX_NAMES) throw unreadableJson(`has more than ${MAX_NAMES} names in its records`);
  const cell = (value: unknown) => (['string', 'number'].includes(typeof value) ? String(value) : '');
  return [names, ...records.map((record) => names.map((name) => cell(record[name])))];
}

const unreadableJson = (fault: string) => new DomainError('unreadable_file', `The JSON file ${fault}.`);
