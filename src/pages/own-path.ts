/** An address of ours below the origin, and nothing that a browser would take for another site's (`//`, `/\`, a tab in between). */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && OWN_PATH.test(path);
}
