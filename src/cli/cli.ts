import { Command, CommanderError, Help, type Option } from 'commander';
import type { Settings } from '../platform/settings/settings.js';
import { MAX_COUNTED } from '../platform/lists/bounded-lists.js';
import type { TimeZone } from '../platform/time/time.js';
import { VERSION } from '../platform/version.js';
import type { CommandAnswer } from './answer.js';
import { NoServiceError } from './api/admin-client.js';
import { jsonOption, type Runner } from './command.js';
import { describeError, type ErrorText } from './explain.js';
import type { Services } from './services.js';
import { writeText, type CliEnvironment, writeAnswer } from './terminal.js';

const DONE = 0;
const REFUSED = 1;
const WRONG_USAGE = 2;
const NO_SERVICE = 3;

/** They mend a connection that cannot be read. */
const LOGIN = ['login', 'logout'];

/** Runs a command: opens the services, prints the answer or the error, and returns the exit status. */
export class Cli implements Runner {
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
  }

  /** Only a command that fills a database may create one. */
  async run(
    work: (services: Services) => CommandAnswer | Promise<CommandAnswer>,
    { mayMakeDatabase = false } = {},
  ): Promise<void> {
    const { openApp } = await import('./open-app.js');
    const settings = await this.settings();
    await this.printDatabase(settings);
    const { services, translate, close } = await openApp(settings, mayMakeDatabase);
    try {
      await this.answer(await work(services), settings.timeZone);
    } catch (error) {
      throw translate(error);
    } finally {
      await close();
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

  async printDatabase(settings: Settings): Promise<void> {
    const { stderr } = this.environment;
    if (this.json || !stderr.isTTY) return;
    const { databaseName } = await import('./open-database.js');
    writeText(stderr, `Database: ${databaseName(settings)}\n`);
  }

  async answer(
    { json, text, leftOut, incomplete, failure, close }: CommandAnswer,
    timeZone: TimeZone,
  ): Promise<void> {
    const { stdout } = this.environment;
    try {
      if (this.json) await writeAnswer(stdout, isStream(json) ? json : JSON.stringify(json));
      else await writeAnswer(stdout, typeof text === 'function' ? text(timeZone) : text);
      if (this.json) await writeAnswer(stdout, '\n');
      const remaining = leftOut?.() ?? 0;
      const more = remaining === Infinity ? 'There are' : remaining > MAX_COUNTED ? 'Over 1,000' : remaining;
      if (remaining > 0)
        this.printError({
          code: 'more',
          message: `${more} more. --limit <count> shows more of them, --all shows all.`,
        });
      if (incomplete || failure !== undefined) this.status = REFUSED;
      if (failure !== undefined) this.printError(describeError(failure));
    } finally {
      await close?.();
    }
  }

  /** Reads what the declaration of commands needs. A refusal waits until a command runs. */
  unlessRefused<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      this.program.hook('preAction', (_, command) => {
        if (!LOGIN.includes(command.name())) throw error;
      });
      return undefined;
    }
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
