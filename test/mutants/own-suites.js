/**
 * Relates a changed file only to the suites that import it directly. Other suites would notice many mutants
 * too, but slowly, and each rule must be covered by its own suite.
 */
export function extract(code, path, importsOf) {
  return /\.spec\.tsx?$/.test(path) ? importsOf(code) : new Set();
}
