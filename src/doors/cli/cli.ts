import { Command, CommanderError, Help, Option } from 'commander';
import type { Settings } from '../../platform/settings/settings.js';
import type { Answer } from './answer.js';
import { explain, type Explanation } from './explain.js';
import type { Services } from './services.js';
import type { Surroundings } from './surroundings.js';
import { say, writeOut } from './write-out.js';

export const DONE = 0;
export const REFUSED = 1;
export const WRONG_USAGE = 2;

/** What all commands have in common: how they look, how they answer, and how they end. */
export class Cli {
  readonly program: Command;
  private status = DONE;
  private readonly json: boolean;

  constructor(
    private readonly commandLine: readonly string[],
    readonly surroundings: Surroundings,
  ) {
    const { stdout, stderr } = surroundings;
    // Before anything is parsed, so that the errors of parsing are JSON as well.
    this.json = commandLine.includes('--json');
    this.program = new Command('wholesale')
      .description('The wholesaler’s commands: clients, plans, catalog, stock, prices and orders.')
      .exitOverride()
      .enablePositionalOptions()
      .addOption(forScripts().hideHelp())
      .configureOutput({
        writeOut: (text) => void say(stdout, text),
        writeErr: (text) => void (this.json || say(stderr, text)),
      })
      .configureHelp({ sortSubcommands: false, optionDescription: describeOption })
      .showHelpAfterError('(add --help to see what is possible)')
      .addHelpText('after', '\nExit status: 0 done, 1 refused or some rows failed, 2 wrong usage.');
  }

  /** A group takes `--json` as well, for what it says when a command is missing. */
  group(name: string, description: string): Command {
    return this.program.command(name).description(description).addOption(forScripts().hideHelp());
  }

  /** A command of a group, or of its own. Each takes `--json`. */
  command(group: Command, syntax: string, description: string): Command {
    return group.command(syntax).description(description).addOption(forScripts());
  }

  /** Opens the product, does the work and writes the answer. Only a command that fills a database may make one. */
  async run(work: (services: Services) => Promise<Answer>, { mayMakeDatabase = false } = {}): Promise<void> {
    const { openApp } = await import('./open-app.js');
    const settings = await this.settings();
    await this.tellDatabase(settings);
    const { services, translate, close } = await openApp(settings, mayMakeDatabase);
    try {
      await this.answer(await work(services));
    } catch (error) {
      throw translate(error);
    } finally {
      await close();
    }
  }

  /** The same for a client, however it is called. */
  runFor(client: string, work: (services: Services, clientId: number) => Promise<Answer>): Promise<void> {
    return this.run(async (services) => work(services, await services.clientFinder.find(client)));
  }

  /** What a file `.env` decides, people are told beside the answer. Scripts are not: they read errors there, as JSON. */
  async settings(): Promise<Settings> {
    const { ownSettings } = await import('../../platform/settings/read-settings.js');
    return ownSettings(
      this.surroundings,
      (line) => void (this.json || this.surroundings.stderr.write(`${line}\n`)),
    );
  }

  /** Whoever sits at a terminal sees which database is asked. Scripts know, and get nothing beside their answer. */
  async tellDatabase(settings: Settings): Promise<void> {
    const { stderr } = this.surroundings;
    if (this.json || !stderr.isTTY) return;
    const { databaseName } = await import('./open-database.js');
    say(stderr, `Database: ${databaseName(settings)}\n`);
  }

  async answer({ json, text, leftOut, incomplete, failure, close }: Answer): Promise<void> {
    const { stdout } = this.surroundings;
    try {
      if (this.json) await writeOut(stdout, isPieces(json) ? json : JSON.stringify(json));
      else await writeOut(stdout, text);
      if (this.json) await writeOut(stdout, '\n');
      const more = leftOut?.() ?? 0;
      if (more > 0)
        this.complain({
          code: 'more',
          message: `${more} more. --limit <count> shows more of them, --all shows all.`,
        });
      if (incomplete || failure !== undefined) this.status = REFUSED;
      if (failure !== undefined) this.complain(explain(failure));
    } finally {
      await close?.();
    }
  }

  /** The exit status. */
  async main(): Promise<number> {
    try {
      await this.program.parseAsync(this.commandLine, { from: 'user' });
      return this.status;
    } catch (error) {
      if (error instanceof CommanderError) return this.endUsage(error);
      this.complain(explain(error));
      return REFUSED;
    }
  }

  /** Commander has written its message or its help already, except for scripts. */
  private endUsage(error: CommanderError): number {
    if (error.exitCode === 0) return DONE;
    const message =
      error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '');
    if (this.json) this.complain({ code: 'usage', message });
    return WRONG_USAGE;
  }

  private complain({ code, message }: Explanation): void {
    say(this.surroundings.stderr, this.json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
  }
}

/** Commander tells defaults; what must be given it tells only when it is missing. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

function forScripts(): Option {
  return new Option('--json', 'answer with one JSON value, for scripts');
}

function isPieces(json: Answer['json']): json is AsyncIterable<string> {
  return Symbol.asyncIterator in json;
}
