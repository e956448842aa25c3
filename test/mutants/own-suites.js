/**
 * What Jest takes to be related to a file that was changed: the suites that import it themselves. Those that only reach it through others
 * would notice much of it too, but late, and what goes wrong in a rule is to be told by the rule's own suite.
 */
export function extract(code, path, importsOf) {
  return /\.spec\.tsx?$/.test(path) ? importsOf(code) : new Set();
}
