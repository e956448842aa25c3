import { addApiCommands } from './api/api-commands.js';
import { addLoginCommands } from './api/login.commands.js';
import { Cli } from './cli.js';
import { addCompletion } from './completion.js';
import { addLocalCommands } from './local/local-commands.js';
import type { CliEnvironment } from './terminal.js';

export function createCli(commandLine: readonly string[], environment: CliEnvironment = process): Cli {
  const cli = new Cli(commandLine, environment);
  addLoginCommands(cli);
  addApiCommands(cli);
  addLocalCommands(cli);
  addCompletion(cli);
  return cli;
}
