import { type Command, Option } from 'commander';
import { type Cli, groupOf } from '../cli.js';
import { isoText } from '../../platform/time/time.js';
import { jsonOption, readCount } from '../options.js';
import { performCommand } from './api-answer.js';
import {
  type ApiCommand,
  type CommandField,
  readCommands,
  REFUSED_ROWS,
  TYPES,
  wordOf,
} from './api-command.js';
import { findConnection } from './connection.js';

const DEFAULT_LIMIT = 50;

/** Further names of commands. */
const ALIASES: Record<string, string> = { 'invoice show': 'pdf' };

/** Adds a command for each request of the admin API that has one. */
export function addApiCommands(cli: Cli): void {
  for (const command of readCommands()) {
    const [group, name] = command.command.split(' ') as [string, string];
    const declared = groupOf(cli.program, group).command(name).description(`${command.about}.`);
    const alias = ALIASES[command.command];
    declare(cli, alias === undefined ? declared : declared.alias(alias), command);
  }
}

function declare(cli: Cli, declared: Command, command: ApiCommand): void {
  const { fields, positional, sends, answer, keeps, viewedBy } = command;
  const inOrder = positional.map((name) => fields.find((field) => field.name === name)!);
  declareArguments(declared, inOrder);
  if (sends) declared.argument('<file>', `${endingsOf(sends)}; - is standard input, as CSV`);
  const ofView = viewedBy?.fields.filter((field) => field.in === 'query') ?? [];
  const named = [...fields, ...ofView]
    .filter((field) => !inOrder.includes(field))
    .map((field) => [field, addOption(declared, field)] as const);
  if (answer === 'page')
    declared
      .option('--limit <count>', 'how many rows to show', readCount, DEFAULT_LIMIT)
      .option('--all', 'show all rows');
  const files = viewedBy?.files ?? command.files ?? (keeps && [TYPES['.json']!]);
  if (files) declared.option('--output <file>', `the file to write: ${endingsOf(files)}`);
  if (files?.includes(TYPES['.csv']!) && files.includes(TYPES['.pdf']!))
    declared.option('--pdf <file.pdf>', 'the PDF to write beside it');
  declared.addOption(jsonOption());

  declared.action(async () => {
    const options = declared.opts<Record<string, unknown>>();
    const file = sends && declared.args.at(-1);
    const typed = sends ? declared.args.slice(0, -1) : declared.args;
    const values = [
      ...alignArguments(declared, inOrder, typed),
      ...named.map(([field, option]) => [field, options[option.attributeName()]] as const),
    ].flatMap(([field, value]) => {
      const read = readTyped(field, value);
      return read === undefined ? [] : [[field, read] as const];
    });
    const connection = await findConnection(cli.environment);
    cli.tell(`Service: ${connection.url}`);
    const done = await performCommand(command, { values, options, file }, connection, cli.environment);
    await cli.answer(done);
  });
}

/** `stock receive <sku> [variation] <quantity>`: the one in the middle may be missing. */
function declareArguments(declared: Command, fields: readonly CommandField[]): void {
  const words = fields.map((field) => {
    const word = `${wordOf(field)}${field.kind === 'list' ? '...' : ''}`;
    return field.required ? `<${word}>` : `[${word}]`;
  });
  const optional = fields.findIndex(({ required }) => !required);
  fields.forEach(({ about }, at) => {
    const isLater = optional !== -1 && at > optional;
    declared.argument(isLater ? words[at]!.replace(/^<(.*)>$/, '[$1]') : words[at]!, about);
  });
  if (words.length > 0) declared.usage(`[options] ${words.join(' ')}`);
}

/** Fewer texts than arguments leave out the optional ones, also before a required one. */
function alignArguments(declared: Command, fields: readonly CommandField[], typed: readonly string[]) {
  const isShort = typed.length < fields.length && fields.at(-1)!.required;
  const given = isShort ? fields.filter(({ required }) => required) : fields.slice(0, typed.length);
  return given.map((field, at) => {
    if (typed[at] === undefined) declared.error(`error: missing required argument '${wordOf(field)}'`);
    return [field, field.kind === 'list' ? typed.slice(at) : typed[at]] as const;
  });
}

const endingsOf = (types: readonly string[]) =>
  Object.keys(TYPES)
    .filter((ending) => types.includes(TYPES[ending]!))
    .join(', ');

function addOption(declared: Command, field: CommandField): Option {
  const { kind, about, required, choices, name } = field;
  const word = wordOf(field);
  if (name === REFUSED_ROWS) {
    const option = new Option('--failed <file.csv>', 'write the refused rows to this file, with reasons');
    declared.addOption(option);
    return option;
  }
  if (kind === 'flag') {
    const option = new Option(`--${word}`, about);
    declared.addOption(option).addOption(new Option(`--no-${word}`).hideHelp());
    // `--on` and `--off` of the automatic payment.
    if (name === 'enabled')
      declared
        .addOption(new Option('--on', 'turn it on').implies({ enabled: true }))
        .addOption(new Option('--off', 'turn it off').implies({ enabled: false }));
    return option;
  }
  const option = new Option(`--${word} <${kind === 'units' ? 'line=units' : 'value'}>`, about);
  if (choices) option.choices([...choices]);
  if (kind === 'list' || kind === 'units')
    option.argParser((text: string, before: string[] = []) => [...before, text]);
  declared.addOption(required ? option.makeOptionMandatory() : option);
  return option;
}

/** A text that the service refuses is sent as it is: the service says why. */
function readTyped({ kind, name, in: place }: CommandField, typed: unknown): unknown {
  if (typed === undefined || (name !== REFUSED_ROWS && kind === 'flag')) return typed;
  if (Array.isArray(typed))
    return kind === 'units'
      ? typed.flatMap((text: string) => text.trim().split(/[\s,]+/)).map(readUnits)
      : typed;
  // `--no-invoice` without its value is the default of commander.
  if (typeof typed !== 'string') return undefined;
  if (name === REFUSED_ROWS) return true;
  // An empty text clears a field.
  if (place === 'body' && typed.trim() === '') return null;
  if (kind === 'time') return isoText(typed);
  return kind === 'number' && /^\s*-?\d+\s*$/.test(typed) ? Number(typed) : typed;
}

function readUnits(text: string): unknown {
  const [, line, quantity] = /^\s*(\d+)\s*=\s*(\d+)\s*$/.exec(text) ?? [];
  return line === undefined ? text : { line: Number(line), quantity: Number(quantity) };
}
