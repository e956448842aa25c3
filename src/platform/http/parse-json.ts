import { DomainError, validationFailed } from '../errors/domain-error.js';

/** Far more than an order needs, and far less than what exhausts the stack of those who walk through it. */
const MAX_DEPTH = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object in these bytes. No bytes count as an empty object, whose missing fields are then named one by one. */
export function parseJson(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const value = parse(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationFailed([
      { field: 'body', code: 'wrong_type', message: 'the body must be a JSON object' },
    ]);
  }
  checkDepth(value);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not well-formed JSON.', { cause });
  }
}

/** Level by level, not by recursion: a hostile body must not exhaust the stack of the check itself. */
function checkDepth(root: object): void {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new DomainError('malformed_json', `The body is nested more than ${MAX_DEPTH} levels deep.`);
    level = level.flatMap((value) => Object.values(value).filter(isObject));
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
