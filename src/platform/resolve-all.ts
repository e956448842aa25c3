/** `Promise.all` by name. */
export async function resolveAll<Values extends object>(values: Values) {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof Values]: Awaited<Values[Name]> };
}
