import { readFile } from 'node:fs/promises';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type RecordSource, rowsSource } from './record-source.js';

/** The file is parsed in one step, in less than 50 ms. */
const MOST_BYTES = 4_000_000;
const MOST_RECORDS = 10_000;
const MOST_NAMES = 100;

/** Recognises a JSON file with records by its first characters. */
export function isJson(start: Buffer): boolean {
  return /^(\xEF\xBB\xBF)?\s*(\{|\[\s*($|\{))/.test(start.toString('latin1'));
}

/** A list of flat objects, or one object. Their names are the heading. Nested values are left out. */
export function jsonSource(path: string, size: number): RecordSource {
  return {
    async *batches() {
      if (size > MOST_BYTES) throw unreadable(`is larger than ${MOST_BYTES / 1e6} MB: split it`);
      yield* rowsSource(...rowsOf(parsed(await readFile(path, 'utf8')))).batches();
    },
  };
}

function parsed(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw unreadable('is not JSON');
  }
  const records = [value].flat() as Record<string, unknown>[];
  if (records.length > MOST_RECORDS) throw unreadable(`has more than ${MOST_RECORDS} records: split it`);
  if (records.some((record) => typeof record !== 'object' || record === null || Array.isArray(record)))
    throw unreadable('must be a list of objects');
  return records;
}

/** A record may lack columns of other records. */
function rowsOf(records: readonly Record<string, unknown>[]): string[][] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  // Each record gets a cell for each name.
  if (names.length > MOST_NAMES) throw unreadable(`has more than ${MOST_NAMES} names in its records`);
  const cell = (value: unknown) => (['string', 'number'].includes(typeof value) ? String(value) : '');
  return [names, ...records.map((record) => names.map((name) => cell(record[name])))];
}

const unreadable = (fault: string) => new DomainError('unreadable_file', `The JSON file ${fault}.`);
