import { DomainError, validationFailed } from '../errors/domain-error.js';
import { measureJson } from './measure-json.js';

/** Far more than an order needs, and little enough that whoever walks through it is done in no time and on any stack. */
const MOST = { depth: 32, values: 10_000, fields: 200 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object in these bytes. No bytes count as an empty object, whose missing fields are then named one by one. */
export function parseJson(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const text = decode(bytes);
  checkSize(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationFailed([
      { field: 'body', code: 'wrong_type', message: 'the body must be a JSON object' },
    ]);
  }
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not valid UTF-8.', { cause });
  }
}

/** Before anything is made of it: it is the making that costs. */
function checkSize(bytes: Buffer): void {
  const { depth, values, fields } = measureJson(bytes);
  if (depth > MOST.depth)
    throw new DomainError('malformed_json', `The body is nested more than ${MOST.depth} levels deep.`);
  if (values > MOST.values)
    throw new DomainError('body_too_complex', `The body may hold at most ${MOST.values} values.`);
  if (fields > MOST.fields)
    throw new DomainError('body_too_complex', `An object may have at most ${MOST.fields} fields.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not well-formed JSON.', { cause });
  }
}
