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
    ...settings,
  };
  return ['-D', directory, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
