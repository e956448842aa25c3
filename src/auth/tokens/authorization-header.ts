/** RFC 6750, 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** What is wrong with the form of the header, the likeliest slips first. Nothing here looks at what the token is. */
const SLIPS: readonly [form: RegExp, fault: string][] = [
  [/^Basic\b/i, 'It uses the scheme Basic'],
  [/^Bearer\s+Bearer\b/i, 'It says "Bearer" twice'],
  [/^Bearer:?$/i, 'There is no token after "Bearer"'],
  [/^(Bearer\s*)?["'“‘]|["'”’]$/i, 'There are quotes around it'],
  [/^Bearer\s*[:=]/i, 'There is a sign between "Bearer" and the token'],
  [/<.*>$/, 'There are angle brackets around the token'],
  [/^[^\s,]+$/, 'The word "Bearer" is missing before the token'],
  [/,/, 'It holds several values'],
  [/^Bearer\s/i, 'The token is not one word of letters and digits'],
];

/** The token of an `Authorization` header, or what is wrong with the header's form. */
export function readAuthorization(header: string): { token: string } | { fault: string } {
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return { token };
  const given = header.trim();
  return { fault: SLIPS.find(([form]) => form.test(given))?.[1] ?? 'It has not this form' };
}
