import { Command, CommanderError, Help, type Option } from 'commander';
import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';
import type { Settings } from '../platform/settings/settings.js';
import { VERSION } from '../platform/version.js';
import type { CommandAnswer } from './answer.js';
import { NoServiceError } from './api/connection.js';
import { describeError, type ErrorText } from './explain.js';
import { jsonOption } from './options.js';
import {
  askForConfirmation,
  type CliEnvironment,
  ReaderLeftError,
  writeAnswer,
  writeText,
} from './terminal.js';

const DONE = 0;
const REFUSED = 1;
const WRONG_USAGE = 2;
const NO_SERVICE = 3;

/** What each group of commands is about, in the order of the help. */
const GROUPS: Record<string, string> = {
  plan: 'plans: the discounts of clients',
  client: 'clients of the wholesaler',
  token: 'tokens of stores',
  key: 'admin keys: the secrets with which your own programs use the admin API',
  person: 'people who sign in',
  desk: 'people of the wholesaler: who works at /desk',
  subscription: 'subscriptions of clients to plans',
  catalog: 'the catalog as a file',
  product: 'single products',
  stock: 'stock: how many goods are on hand',
  price: 'fixed prices of plans, and scheduled prices',
  order: 'orders of all clients',
  packing: 'lists of paid orders to pack; an order is on one list at a time',
  shipment: 'shipments and deliveries of many orders',
  return: 'goods that customers send back',
  seller: 'your firm, as invoices show it',
  invoice: 'invoices, credit notes and receipts',
  wallet: 'wallets: the money of the clients',
  payment: 'payments through the gateway',
  transfer: 'bank transfers of clients',
  report: 'reports and books',
  mail: 'mail that the service sends',
  changes: 'prices and terms of plans, as they were changed',
  audit: 'the audit log: who changed what',
  demo: 'sample data, for trials and measurements',
};

export const groupOf = (program: Command, name: string): Command =>
  program.commands.find((one) => one.name() === name)!;

/** Runs a command, prints its answer or its error, and returns the exit status. */
export class Cli {
  readonly program: Command;
  private status = DONE;
  private readonly json: boolean;

  constructor(
    private readonly commandLine: readonly string[],
    readonly environment: CliEnvironment,
  ) {
    const { stdout, stderr } = environment;
    // Read before the command line is parsed, so that errors of parsing are JSON too.
    this.json = commandLine.includes('--json');
    this.program = new Command('wholesale')
      .description('The wholesaler’s commands: clients, plans, catalog, stock, prices and orders.')
      .version(VERSION, '--version', 'Prints the version.')
      .exitOverride()
      .enablePositionalOptions()
      .addOption(jsonOption().hideHelp())
      .configureOutput({
        writeOut: (text) => void writeText(stdout, text),
        writeErr: (text) => void (this.json || writeText(stderr, text)),
      })
      .configureHelp({ sortSubcommands: false, optionDescription: describeOption })
      .showHelpAfterError('(add --help to see the options)')
      .addHelpText(
        'after',
        '\nExit status: 0 done, 1 refused or some rows failed, 2 wrong usage, 3 no service answers.',
      )
      .hook('preAction', (_, command) => refuseBlank(command));
    for (const [name, about] of Object.entries(GROUPS))
      this.program.command(name).description(about).addOption(jsonOption().hideHelp());
  }

  /** Runs a command on the database of the settings. Only one that fills a database may create it. */
  async run(
    work: (services: INestApplicationContext, settings: Settings) => Promise<CommandAnswer>,
    { mayMakeDatabase = false } = {},
  ): Promise<void> {
    const { databaseName, openDatabase } = await import('./local/open-database.js');
    const { openServices } = await import('./local/open-services.js');
    const { translateDatabaseError } = await import('../platform/database/database-error.js');
    const settings = await this.settings();
    this.tell(`Database: ${databaseName(settings)}`);
    const database = await openDatabase(settings, mayMakeDatabase);
    try {
      const services = await openServices(settings, database.url);
      try {
        await this.answer(await work(services, settings));
      } catch (error) {
        throw translateDatabaseError(error);
      } finally {
        await services.close();
      }
    } finally {
      await database.close();
    }
  }

  /** Prints which settings came from a file `.env`. For scripts, standard error has only errors. */
  async settings(): Promise<Settings> {
    const { loadSettings } = await import('../platform/settings/settings.js');
    return loadSettings(
      this.environment,
      (line) => void (this.json || this.environment.stderr.write(`${line}\n`)),
    );
  }

  /** For the person at a terminal. */
  tell(line: string): void {
    const { stderr } = this.environment;
    if (!this.json && stderr.isTTY) writeText(stderr, `${line}\n`);
  }

  /** Asks for confirmation, unless the option says yes. */
  async requireConfirmation(yes: true | undefined, question: string, refusal: string): Promise<void> {
    if (!yes && !(await askForConfirmation(this.environment, question)))
      throw new DomainError('conflict', refusal);
  }

  async answer(answer: CommandAnswer): Promise<void> {
    try {
      await this.write(answer);
    } catch (error) {
      if (!(error instanceof ReaderLeftError)) throw error;
    }
  }

  private async write({ json, text, hasMore, incomplete, failure }: CommandAnswer): Promise<void> {
    const { stdout } = this.environment;
    if (this.json) await writeAnswer(stdout, isStream(json) ? json : JSON.stringify(json));
    else await writeAnswer(stdout, text);
    if (this.json) await writeAnswer(stdout, '\n');
    const message = 'There are more. --limit <count> shows more of them, --all shows all.';
    if (hasMore?.()) this.printError({ code: 'more', message });
    if (incomplete || failure !== undefined) this.status = REFUSED;
    if (failure !== undefined) this.printError(describeError(failure));
  }

  /** Returns the exit status. */
  async main(): Promise<number> {
    try {
      await this.program.parseAsync(this.commandLine, { from: 'user' });
      return this.status;
    } catch (error) {
      if (error instanceof CommanderError) return this.endUsage(error);
      this.printError(describeError(error));
      return error instanceof NoServiceError ? NO_SERVICE : REFUSED;
    }
  }

  /** Commander has printed its message or its help already, except for scripts. */
  private endUsage(error: CommanderError): number {
    if (error.exitCode === 0) return DONE;
    const message =
      error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '');
    if (this.json) this.printError({ code: 'usage', message });
    return WRONG_USAGE;
  }

  private printError({ code, message }: ErrorText): void {
    writeText(this.environment.stderr, this.json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
  }
}

/** A script whose variable is empty would otherwise search for nothing. */
function refuseBlank(command: Command): void {
  const { args, registeredArguments } = command;
  const blank = registeredArguments.find(({ required }, at) => required && args[at]?.trim() === '');
  if (blank) command.error(`error: <${blank.name()}> must not be empty`);
}

/** Commander's help shows defaults, but not which options are required. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

function isStream(json: CommandAnswer['json']): json is AsyncIterable<string> {
  return Symbol.asyncIterator in json;
}
