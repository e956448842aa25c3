import { ERROR_CODES, type StoreErrorCode } from '../../../platform/errors/error-codes.js';

/** What the docs say of a code. */
export const CodeMeaning = ({ code }: { code: string }) => {
  if (!Object.hasOwn(ERROR_CODES, code)) return null;
  const [, meaning] = ERROR_CODES[code as StoreErrorCode];
  return <>{meaning.split('`').map((text, at) => (at % 2 === 0 ? text : <code>{text}</code>))}</>;
};
