import type { TokenShown } from '../../auth/tokens/client-tokens.service.js';

/** A first call to paste into a shell. Tokens and domains contain no character that a shell interprets. */
export function curlLine(baseUrl: string, { token, domain }: { token: string; domain: string }): string {
  return [
    `curl ${baseUrl}/api/account \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'X-Client-Domain: ${domain}'`,
  ].join('\n');
}

/** The same without the token, which is shown only once. */
export function exampleCall(baseUrl: string, tokens: readonly TokenShown[]): string {
  return curlLine(baseUrl, { token: '<API_TOKEN>', domain: tokens[0]?.domain ?? 'store.example.com' });
}
