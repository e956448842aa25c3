/** How many things a list parameter names at most, however it is sent. */
export function namedIn(parameter: unknown): number {
  if (Array.isArray(parameter)) return parameter.length;
  return typeof parameter === 'string' ? parameter.split(',').length : 0;
}
