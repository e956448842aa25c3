interface Credentials {
  token: string;
  domain: string;
}

/** For who has the token at hand, but not here: it is shown once, when it is made. */
export const YOUR_TOKEN = '<API_TOKEN>';

/** A first call, as it is pasted into a shell. Neither a token nor a domain holds anything that a shell would take for something else. */
export function curlLine(baseUrl: string, { token, domain }: Credentials): string {
  return [
    `curl ${baseUrl}/api/account \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'X-Client-Domain: ${domain}'`,
  ].join('\n');
}
