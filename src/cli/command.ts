import os from 'node:os';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { DomainError } from '../platform/errors/domain-error.js';
import { parsePercent, readTypedPrice } from '../platform/money/money.js';
import { parseDay, parseEnd, parseMonth, parseTime } from '../platform/time/time.js';
import { snakeCase } from '../platform/snake-case.js';
import { type Described, pickTexts } from '../platform/validation/described-field.js';
import { lineFault } from '../platform/validation/texts.js';
import { parseWholeNumber } from '../platform/validation/whole-numbers.js';
import { type CommandAnswer, type ListRows, listAnswer, type ListColumns } from './answer.js';
import type { Services } from './services.js';
import { askForConfirmation, type CliEnvironment } from './terminal.js';

const MAX_COUNT = 10_000_000;
const MAX_ID = 2_147_483_647;
export const DEFAULT_LIMIT = 50;

export const CLIENT_NAME = 'its number, name (or its start), domain or e-mail address';
const CLIENT = `the client: ${CLIENT_NAME}`;
export const PERSON = 'the person: number or e-mail address';

/** The option of `by()`. */
export interface ActorOption {
  by: string;
}

type MaybePromise<Result> = Result | Promise<Result>;

/** Opens the services, runs the command, prints its answer and closes the services. */
export interface Runner {
  readonly environment: CliEnvironment;
  run(
    work: (services: Services) => MaybePromise<CommandAnswer>,
    options?: { mayMakeDatabase?: boolean },
  ): Promise<void>;
}

/** Reads a typed text. A repeatable option also gets its earlier values. */
type Reader<Read> = (text: string, before?: never) => Read;

/** A typed value that is resolved later, with the settings or the database. */
export class Deferred<Value> {
  constructor(
    readonly at: (services: Services, options: Readonly<Record<string, unknown>>) => MaybePromise<Value>,
    /** The name of the option's value, if it is not the flag. */
    readonly name?: string,
  ) {}
}

type Resolved<Read> =
  Read extends Deferred<infer Value> ? Value : Read extends Deferred<infer Value>[] ? Value[] : Read;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/**
 * The name that commander gives an option. It follows from the flags, so that no command declares the names
 * and types of its options a second time.
 */
type NameOf<Flags extends string> = Flags extends `${string}, ${infer Long}`
  ? NameOf<Long>
  : Flags extends `--${infer Name} ${string}`
    ? CamelCase<Name>
    : Flags extends `--${infer Name}`
      ? CamelCase<Name>
      : never;

/** A flag without a value is a switch. */
type ValueOf<Flags extends string, Read> = Flags extends `${string}<${string}` ? Resolved<Read> : true;
type RequiredOption<Flags extends string, Read> = { [Name in NameOf<Flags>]: ValueOf<Flags, Read> };
type OptionalOption<Flags extends string, Read> = { [Name in NameOf<Flags>]?: ValueOf<Flags, Read> };
type ArgumentValue<Syntax extends string, Read> = Syntax extends `[${string}`
  ? Resolved<Read> | undefined
  : Resolved<Read>;

/** Declares a command: its arguments, its options and its work, in one chain. */
export class CliCommand<Args extends unknown[] = [], Options = object> {
  constructor(
    readonly runner: Runner,
    readonly declared: Command,
  ) {}

  /** A group accepts `--json` too, for the error of a missing command. */
  group(name: string, description: string): CliCommand {
    return this.command(name, description, jsonOption().hideHelp());
  }

  add<Syntax extends string>(syntax: Syntax, description: string): CliCommand<NameArgument<Syntax>> {
    return this.command(syntax, description, jsonOption()) as unknown as CliCommand<NameArgument<Syntax>>;
  }

  usage(usage: string): this {
    this.declared.usage(usage);
    return this;
  }

  argument<Syntax extends string, Read = string>(
    syntax: Syntax,
    description: string,
    read?: Reader<Read>,
  ): CliCommand<[...Args, ArgumentValue<Syntax, Read>], Options> {
    const argument = new Argument(syntax, description);
    this.declared.addArgument(read ? argument.argParser(read as Reader<never>) : argument);
    return this as never;
  }

  option<Flags extends string, Read = string>(
    flags: Flags,
    description: string,
    read?: Reader<Read>,
  ): CliCommand<Args, Options & OptionalOption<Flags, Read>> {
    return this.addOption(optionOf(flags, description, read));
  }

  requiredOption<Flags extends string, Read = string>(
    flags: Flags,
    description: string,
    read?: Reader<Read>,
  ): CliCommand<Args, Options & RequiredOption<Flags, Read>> {
    return this.addOption(optionOf(flags, description, read).makeOptionMandatory());
  }

  /** An option with a default value. */
  preset<Flags extends string, Read = string>(
    flags: Flags,
    description: string,
    value: Resolved<Read>,
    read?: Reader<Read>,
  ): CliCommand<Args, Options & RequiredOption<Flags, Read>> {
    return this.addOption(optionOf(flags, description, read).default(value));
  }

  choice<Flags extends string, Choice extends string>(
    flags: Flags,
    description: string,
    choices: readonly Choice[],
  ): CliCommand<Args, Options & OptionalOption<Flags, Choice>> {
    return this.addOption(new Option(flags, description).choices(choices));
  }

  /** A choice that is required, or has a default. */
  requiredChoice<Flags extends string, Choice extends string>(
    flags: Flags,
    description: string,
    choices: readonly Choice[],
    preset?: Choice,
  ): CliCommand<Args, Options & RequiredOption<Flags, Choice>> {
    const option = new Option(flags, description).choices(choices);
    return this.addOption(preset === undefined ? option.makeOptionMandatory() : option.default(preset));
  }

  addOption<More>(option: Option): CliCommand<Args, Options & More> {
    this.declared.addOption(option);
    return this as never;
  }

  /** Adds an option for each field. `pickTexts` reads them. */
  fields<Name extends string>(fields: Described<Name>, names: readonly Name[]): this {
    for (const name of names) {
      const { label, hint } = fields[name];
      const help = hint === undefined ? label : `${label}. ${hint}`;
      this.declared.option(`--${snakeCase(name).replaceAll('_', '-')} <value>`, help);
    }
    return this;
  }

  forClient<Syntax extends '<client>' | '[client]' = '<client>'>(syntax = '<client>' as Syntax) {
    return this.argument(syntax, CLIENT, readClient);
  }

  forProduct() {
    return this.argument('<sku>', 'the product', readSku);
  }

  /** Adds the option `--client`. Its value is `clientId`. */
  ofClient(description = `only of ${CLIENT}`): CliCommand<Args, Options & { clientId?: number }> {
    return this.addOption(new Option('--client <client>', description).argParser(readClient));
  }

  /** Adds the option `--by`: the name of the person, which records store. */
  by() {
    return this.preset('--by <name>', 'who does it', operatorName(), readWords);
  }

  /** Adds `--limit` and `--all`. A list prints its first rows, and the number of further rows. */
  withLimit(): CliCommand<Args, Options & { limit?: number }> {
    return this.preset('--limit <count>', 'how many rows to show', DEFAULT_LIMIT, readCount).option(
      '--all',
      'show all rows',
    ) as never;
  }

  since(which: string, flags: '--since <date>' | '--from, --since <date>' = '--since <date>') {
    return this.option(flags, `only ${which} from this time on`, readStart);
  }

  to(which: string) {
    return this.option('--to <date>', `only ${which} before this time; a date includes that day`, readEnd);
  }

  /** Requires at least one of these options. */
  changes(names: readonly string[]): this {
    this.declared.hook('preAction', (command) => {
      if (Object.keys(pickTexts(names, command.opts())).length === 0)
        command.error('error: no value to change is given');
    });
    return this;
  }

  /** Sets the work of the command. It gets the services, then the arguments and the options. */
  does(
    work: (services: Services, ...values: [...Args, Options]) => MaybePromise<CommandAnswer>,
    options?: { mayMakeDatabase?: boolean },
  ): this {
    this.declared.action((...typed: unknown[]) =>
      this.runner.run(async (services) => {
        // The last value is the command itself.
        const values = await resolveArguments(services, typed.slice(0, -1));
        return work(services, ...(values as [...Args, Options]));
      }, options),
    );
    return this;
  }

  /** Sets the work of a command that answers with a list. */
  lists<Row extends object>(
    whenEmpty: string,
    rows: (services: Services, ...values: [...Args, Options]) => MaybePromise<ListRows<Row>>,
    columns?: ListColumns<Row>,
  ): this {
    return this.does(async (services, ...values) => {
      const { limit } = values.at(-1) as { limit?: number };
      return listAnswer(await rows(services, ...values), whenEmpty, columns, limit);
    });
  }

  /** Asks for confirmation, unless the option says yes. */
  async requireConfirmation(yes: true | undefined, question: string, refusal: string): Promise<void> {
    if (!yes && !(await askForConfirmation(this.runner.environment, question)))
      throw new DomainError('conflict', refusal);
  }

  private command(syntax: string, description: string, json: Option): CliCommand {
    const declared = this.declared.command(syntax).description(description).addOption(json);
    return new CliCommand(this.runner, declared);
  }
}

/** The argument in the name of a command. */
type NameArgument<Syntax extends string> = Syntax extends `${string}<${string}` ? [string] : [];

function optionOf(flags: string, description: string, read?: Reader<unknown>): Option {
  const option = new Option(flags, description);
  return read ? option.argParser(read as Reader<never>) : option;
}

/** Resolves deferred values. Options come first, because arguments may depend on them. */
async function resolveArguments(services: Services, typed: unknown[]): Promise<unknown[]> {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed.at(-1) as object))
    options[value instanceof Deferred ? (value.name ?? name) : name] = await resolveValue(
      services,
      value,
      options,
    );
  if (options.all) delete options.limit;
  delete options.all;
  const args: unknown[] = [];
  for (const value of typed.slice(0, -1)) args.push(await resolveValue(services, value, options));
  return [...args, options];
}

function resolveValue(
  services: Services,
  value: unknown,
  options: Readonly<Record<string, unknown>>,
): unknown {
  if (Array.isArray(value)) return Promise.all(value.map((one) => resolveValue(services, one, options)));
  return value instanceof Deferred ? value.at(services, options) : value;
}

export function jsonOption(): Option {
  return new Option('--json', 'answer with one JSON value, for scripts');
}

/** The name of the user who runs the command. */
export function operatorName(): string {
  try {
    return `operator:${os.userInfo().username}`;
  } catch {
    // A container may run under a user id that has no name.
    return `operator:${process.getuid?.() ?? 'unknown'}`;
  }
}

// Readers of arguments. A refused text is wrong usage.

const readClient = (text: string) => new Deferred(({ clientFinder }) => clientFinder.find(text), 'clientId');
export const readPerson = (text: string) => new Deferred(({ people }) => people.find(text));

/** Makes a reader from a parser, which returns undefined for other texts. */
export const readerOf =
  <Value>(parse: (text: string) => Value | undefined, what: string) =>
  (text: string): Value => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${what}.`);
    return value;
  };

export const readId = readerOf((text) => parseWholeNumber(text, 1, MAX_ID), 'a number such as 7');
export const readCount = readerOf(
  (text) => parseWholeNumber(text, 1, MAX_COUNT),
  `a whole number from 1 to ${MAX_COUNT}`,
);
export const readMonth = readerOf(parseMonth, 'a month such as 2026-11');
export const readDay = readerOf(parseDay, 'a day such as 2026-11-26');

export function readStart(text: string): Deferred<Date> {
  return typedTime(text, parseTime);
}

/** A bare date includes that day. */
export function readEnd(text: string): Deferred<Date> {
  return typedTime(text, parseEnd);
}

/** Deferred, because the zone of a typed date comes from the settings. */
function typedTime(text: string, parse: typeof parseTime): Deferred<Date> {
  if (parse(text, 'UTC') === null)
    throw new InvalidArgumentError(
      'It must be a date or time such as 31/03/2027, 2027-03-31 or 2027-03-31T18:00+05:30.',
    );
  return new Deferred(({ timeZone }) => parse(text, timeZone)!);
}

export function readPercentage(text: string): number {
  const parsed = parsePercent(text);
  if ('fault' in parsed) throw new InvalidArgumentError(`It ${parsed.fault}.`);
  return parsed.hundredths / 100;
}

export const readCharge = (text: string) =>
  readTypedPrice(text, (message) => new InvalidArgumentError(`It ${message}.`));

const readSku = (text: string) => text.trim();

/** Several such options form one list. */
export function readSkus(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map(readSku)];
}

export function readWords(text: string): string {
  const fault = lineFault(text.trim(), 200);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  return text.trim();
}
