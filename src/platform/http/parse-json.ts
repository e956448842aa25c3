import { DomainError, validationFailed } from '../errors/domain-error.js';

/** Far more than an order needs. The later checks handle this on any stack. */
const MOST = { depth: 32, values: 10_000, fields: 200 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON object. An empty body counts as an empty object, so that all missing fields are named. */
export function parseJson(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const text = decode(bytes);
  const value = parse(text);
  checkSize(value);
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

/** Stops at the first excess. JSON.parse itself is fast on the largest accepted body. */
function checkSize(body: unknown): void {
  let values = 0;
  const check = (value: unknown, depth: number): void => {
    if (++values > MOST.values)
      throw new DomainError('body_too_complex', `The body may hold at most ${MOST.values} values.`);
    if (typeof value !== 'object' || value === null) return;
    if (depth > MOST.depth)
      throw new DomainError('malformed_json', `The body is nested more than ${MOST.depth} levels deep.`);
    const parts: unknown[] = Object.values(value);
    if (!Array.isArray(value) && parts.length > MOST.fields)
      throw new DomainError('body_too_complex', `An object may have at most ${MOST.fields} fields.`);
    for (const part of parts) check(part, depth + 1);
  };
  check(body, 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not well-formed JSON.', { cause });
  }
}
