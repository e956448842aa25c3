/** The address with what is asked for in it. What is empty asks for nothing. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
