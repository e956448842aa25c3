/** Who connects and does not say who he is holds one of the server's connections: any local user could, with all of them, for a minute. */
const AUTHENTICATION_TIMEOUT = '5s';

/**
 * Given at each start and not written into postgresql.conf, so that they hold for a restored or edited directory as well.
 * Whatever else the operator sets in postgresql.conf counts.
 */
export function postgresArguments(
  directory: string,
  port: number,
  settings: Record<string, string> = {},
): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    authentication_timeout: AUTHENTICATION_TIMEOUT,
    ...settings,
  };
  return ['-D', directory, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
