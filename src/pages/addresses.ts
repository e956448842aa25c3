/** A path on our origin. Browsers read `//`, `/\` and tabs as another site. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && OWN_PATH.test(path);
}

/** Adds the parameters that are not empty. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
