import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Cli } from '../cli.js';
import { jsonOption } from '../options.js';
import type { CliEnvironment } from '../terminal.js';
import { AdminClient } from './admin-client.js';
import { readServiceUrl, removeLogin, saveLogin } from './connection.js';

export function addLoginCommands(cli: Cli): void {
  cli.program
    .command('login <url>')
    .description('Sends all commands to this service from now on. Asks for an admin key.')
    .addOption(jsonOption())
    .action(async (typed: string) => {
      const connection = { url: readServiceUrl(typed), key: await readKey(cli.environment) };
      // Each role may list them.
      await new AdminClient(connection).json({ method: 'GET', path: '/api/admin/packing-lists?limit=1' });
      const file = saveLogin(cli.environment, connection);
      const sentence = `Commands go to ${connection.url} now. "wholesale logout" forgets the key.\n`;
      await cli.answer({ json: { url: connection.url, file }, text: sentence });
    });

  cli.program
    .command('logout')
    .description('Forgets the service and its key.')
    .addOption(jsonOption())
    .action(async () => {
      removeLogin(cli.environment);
      await cli.answer({ json: {}, text: 'Commands go to the service of this machine again.\n' });
    });
}

/** A key on the command line would stand in the list of processes. What a person types is not shown. */
async function readKey({ stdin, stderr }: CliEnvironment): Promise<string> {
  if (!stdin.isTTY || !stderr.isTTY) return (await text(stdin)).trim();
  stderr.write('Admin key: ');
  const hidden = new Writable({ write: (_, __, done) => done() });
  const prompt = createInterface({ input: stdin, output: hidden, terminal: true });
  try {
    return (await prompt.question('')).trim();
  } finally {
    prompt.close();
    stderr.write('\n');
  }
}
