import os from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isMonth, type Month, parseEnd, parseInstant, type TimeZone } from '../../platform/time/time.js';
import { lineFault } from '../../platform/validation/texts.js';
import type { Answer } from './answer.js';
import type { Services } from './services.js';
import type { Surroundings } from './terminal.js';

const LARGEST_CHANGE = 1_000_000_000;
const LARGEST_ID = 2_147_483_647;
const ROWS_SHOWN = 50;

export const CLIENT_NAME = 'its number, name (or its start), domain or e-mail address';
const CLIENT = `the client: ${CLIENT_NAME}`;
export const PERSON = 'the person: number or e-mail address';

/** The option of `by()`. */
export interface By {
  by: string;
}

/** The options of `listed()`. */
export interface ListOptions {
  limit: number;
  all?: boolean;
}

/** Undefined stands for all rows. */
export function limitOf({ limit, all }: ListOptions): number | undefined {
  return all ? undefined : limit;
}

type Made<Result> = Result | Promise<Result>;
type Work<Given extends unknown[]> = (services: Services, ...given: Given) => Made<Answer>;

/** Opens the product, does the work, prints its answer and closes the product. */
export interface Runner {
  readonly surroundings: Surroundings;
  run(work: (services: Services) => Made<Answer>, options?: { mayMakeDatabase?: boolean }): Promise<void>;
}

/** Where every command is declared: its arguments, its options and its work, in one chain. */
export class CliCommand extends Command {
  constructor(
    readonly runner: Runner,
    name?: string,
  ) {
    super(name);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.runner, name);
  }

  /** A group takes `--json` too, for the error when its command is missing. */
  group(name: string, description: string): CliCommand {
    return this.command(name).description(description).addOption(forScripts().hideHelp());
  }

  /** A command of this group. */
  add(syntax: string, description: string): CliCommand {
    return this.command(syntax).description(description).addOption(forScripts());
  }

  forClient(syntax: '<client>' | '[client]' = '<client>'): this {
    return this.argument(syntax, CLIENT);
  }

  forPerson(): this {
    return this.argument('<person>', PERSON);
  }

  ofClient(): this {
    return this.option('--client <client>', `only of ${CLIENT}`);
  }

  /** Who does it. The records keep the name. */
  by(): this {
    return this.option('--by <name>', 'who does it', readWords, operator());
  }

  /** A list prints its first rows, and how many more there are. */
  listed(): this {
    return this.option('--limit <count>', 'how many rows to show', readCount, ROWS_SHOWN).option(
      '--all',
      'show all rows',
    );
  }

  choice(flags: string, description: string, choices: readonly string[], preset?: string): this {
    return this.addOption(new Option(flags, description).choices(choices).default(preset));
  }

  since(which: string, flags = '--since <date>'): this {
    return this.option(flags, `only ${which} from this time on`, readStart);
  }

  to(which: string): this {
    return this.option('--to <date>', `only ${which} before this time; a date includes that day`, readEnd);
  }

  /** The work gets the services, then the arguments and the options. */
  does<Given extends unknown[]>(work: Work<Given>, options?: { mayMakeDatabase?: boolean }): this {
    return this.action((...given) =>
      this.runner.run(
        (services) => work(services, ...(given.map((value) => inZone(value, services.timeZone)) as Given)),
        options,
      ),
    );
  }

  /** The same with the id of the client that the first argument names. */
  doesForClient<Given extends unknown[]>(
    work: (services: Services, clientId: number, ...given: Given) => Made<Answer>,
  ): this {
    return this.does<[string, ...Given]>(async (services, client, ...given) =>
      work(services, await services.clientFinder.find(client), ...given),
    );
  }
}

/** The id of the client that the option of `ofClient()` names. */
export async function clientIdOf(
  { clientFinder }: Pick<Services, 'clientFinder'>,
  client: string | undefined,
): Promise<number | undefined> {
  return client === undefined ? undefined : clientFinder.find(client);
}

export function forScripts(): Option {
  return new Option('--json', 'answer with one JSON value, for scripts');
}

/** The name of the user who runs the command. */
export function operator(): string {
  try {
    return `operator:${os.userInfo().username}`;
  } catch {
    // A container may run under a user id that has no name.
    return `operator:${process.getuid?.() ?? 'unknown'}`;
  }
}

// Readers of arguments. A text that they refuse is wrong usage.

export function readId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > LARGEST_ID) throw new InvalidArgumentError('It must be a number such as 7.');
  return id;
}

/** A typed date or time. Its zone is known when the settings are. */
class TypedTime {
  constructor(readonly at: (timeZone: TimeZone) => Date) {}
}

export function readStart(text: string): TypedTime {
  return typedTime(text, parseInstant);
}

/** A bare date includes that day. */
export function readEnd(text: string): TypedTime {
  return typedTime(text, parseEnd);
}

function typedTime(text: string, parse: typeof parseInstant): TypedTime {
  if (parse(text, 'UTC') === null) refuseDate();
  return new TypedTime((timeZone) => parse(text, timeZone)!);
}

/** The options with their typed times as dates. */
function inZone(given: unknown, timeZone: TimeZone): unknown {
  if (typeof given !== 'object' || given === null || given instanceof Command) return given;
  if (Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value instanceof TypedTime ? value.at(timeZone) : value,
    ]),
  );
}

export function readChange(text: string): number | undefined {
  const change = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : 0;
  return change === 0 || Math.abs(change) > LARGEST_CHANGE ? undefined : change;
}

export function readQuantity(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= LARGEST_CHANGE ? Number(text) : undefined;
}

export function readCount(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 10_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 10000000.');
  return count;
}

/** With or without the percent sign. */
export function readPercentage(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?%?$/.test(text))
    throw new InvalidArgumentError('It must be a number of percent such as 50.');
  return Number.parseFloat(text);
}

/** Several such options make one list. */
export function readSkus(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((sku) => sku.trim())];
}

export function readMonth(text: string): Month {
  if (!isMonth(text)) throw new InvalidArgumentError('It must be a month such as 2026-11.');
  return text;
}

export function readWords(text: string): string {
  const fault = lineFault(text.trim(), 200);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return text.trim();
}

function refuseDate(): never {
  throw new InvalidArgumentError(
    'It must be an ISO date or time such as 2027-03-31 or 2027-03-31T18:00+05:30.',
  );
}
