import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { DomainError } from '../../platform/errors/domain-error.js';
import { jsonArray } from '../../shared/imports/json-text.js';
import type { CommandAnswer } from '../answer.js';
import { Folder, OutputFile } from '../output-file.js';
import { type CliEnvironment, showProgress } from '../terminal.js';
import { AdminClient, type AdminRequest } from './admin-client.js';
import { describeFacts, type Facts, tableOf } from './answer-text.js';
import {
  type ApiCommand,
  type CommandField,
  endingOf,
  KEPT_FILE,
  REFUSED_ROWS,
  TYPES,
  wordOf,
} from './api-command.js';
import type { Connection } from './connection.js';

const MAX_PAGE = 500;

/** What a person typed. */
interface Typed {
  values: readonly (readonly [CommandField, unknown])[];
  options: Readonly<Record<string, unknown>>;
  /** The file to send. */
  file: string | undefined;
}

interface Answer {
  data: Facts | Facts[];
  dry_run?: true;
}

type Rows = AsyncGenerator<Facts> | Facts[];

/** Sends the request of a command, and returns what to print. */
export async function performCommand(
  command: ApiCommand,
  typed: Typed,
  connection: Connection,
  environment: CliEnvironment,
): Promise<CommandAnswer> {
  const client = new AdminClient(connection, (name) => typedAs(command, name));
  const ofView = typed.values.filter(([field]) => !command.fields.includes(field));
  const request = requestOf(
    command,
    typed.values.filter((one) => !ofView.includes(one)),
  );
  const { limit, all, json } = typed.options;
  if (command.files && !command.viewedBy) {
    const targets = await openFiles(command, typed.options);
    if (targets.length > 0) return writeFiles(client, request, targets);
    // An export is a file, also on the screen.
    if (command.path.includes('/exports/') && !json)
      return { json: [], text: textOf(await client.send({ ...request, accept: command.files[0] })) };
  }
  if (command.answer === 'page')
    return list(
      (noteMore) => readRows(client, request, all ? Infinity : Number(limit), noteMore),
      client,
      environment,
    );
  return performOne(command, request, { ...typed, values: ofView }, client, environment);
}

async function performOne(
  command: ApiCommand,
  request: AdminRequest,
  { options, file, values: ofView }: Typed,
  client: AdminClient,
  environment: CliEnvironment,
): Promise<CommandAnswer> {
  const kept = command.keeps ? options.output : options.failed;
  const target = kept === undefined ? undefined : await OutputFile.open(kept as string, file);
  const files = command.viewedBy ? await openFiles(command.viewedBy, options) : [];
  try {
    const sent = file === undefined ? undefined : await openFile(file, environment);
    const { data: answer, dry_run: isTrial } = await client.json<Answer>({ ...request, file: sent });
    if (Array.isArray(answer)) return list(() => answer, client, environment);
    const { [REFUSED_ROWS]: rows, [KEPT_FILE]: content, ...data } = answer;
    const failure = await failureOf(async () => {
      await target?.write(textOf([content === undefined ? String(rows ?? '') : JSON.stringify(content)]));
      if (files.length > 0) await showIn(client, command.viewedBy!, data, ofView, files);
    });
    const { failed, left_out: leftOut } = data;
    return {
      json: data,
      text: (isTrial ? 'Nothing is done yet. It would be:\n' : '') + describeFacts(data, client.timeZone),
      incomplete: [failed, leftOut].some((refused) => Array.isArray(refused) && refused.length > 0),
      failure,
    };
  } catch (error) {
    await Promise.all([target, ...files.map(([, opened]) => opened)].map((opened) => opened?.discard()));
    throw error;
  }
}

/** What was done stands and is printed, even if its files cannot be written. */
const failureOf = (work: () => Promise<void>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );

/** Rows as a table. A long list is one table for each page. */
function list(
  read: (noteMore: () => void) => Rows,
  client: AdminClient,
  { stdout }: CliEnvironment,
): CommandAnswer {
  let hasMore = false;
  const rows = read(() => (hasMore = true));
  async function* tables() {
    let page: Facts[] = [];
    let isEmpty = true;
    const { columns } = stdout as { columns?: number };
    for await (const row of rows) {
      isEmpty = false;
      if (page.push(row) < MAX_PAGE) continue;
      yield tableOf(page, client.timeZone, columns || Infinity);
      page = [];
    }
    if (isEmpty) yield 'Nothing.\n';
    else if (page.length > 0) yield tableOf(page, client.timeZone, columns || Infinity);
  }
  return {
    json: jsonArray(Readable.from(rows) as AsyncIterable<Facts>),
    text: tables(),
    hasMore: () => hasMore,
  };
}

function requestOf({ method, path, fields }: ApiCommand, values: Typed['values']): AdminRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  let address = path;
  for (const [{ in: place, name }, value] of values) {
    const texts = [value].flat().map(String);
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(texts[0]!));
    else if (place === 'query') for (const text of texts) query.append(name, text);
    else if (place === 'header') headers[name] = texts[0]!;
    else body[name] = value;
  }
  const hasBody = fields.some((field) => field.in === 'body');
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { method, path: address + search, headers, ...(hasBody && { body }) };
}

/** A field of the request as its option or argument. */
function typedAs({ fields, positional }: ApiCommand, name: string): string {
  const field = fields.find((one) => one.name === name.split(/[.[]/, 1)[0]);
  if (!field) return name;
  return positional.includes(field.name) ? `<${wordOf(field)}>` : `--${wordOf(field)}`;
}

/** All rows of a list, or the first. Notes if there are more. */
async function* readRows(
  client: AdminClient,
  request: AdminRequest,
  limit: number,
  noteMore: () => void,
): AsyncGenerator<Facts> {
  const url = new URL(request.path, 'http://service');
  for (let left = limit; left > 0;) {
    url.searchParams.set('limit', String(Math.min(left, MAX_PAGE)));
    const path = `${url.pathname}${url.search}`;
    const { data, next } = await client.json<{ data: Facts[]; next: string | null }>({ ...request, path });
    yield* data;
    if (next === null) return;
    url.searchParams.set('after', next);
    left -= data.length;
  }
  noteMore();
}

/** A file to write, by its media type. */
type Target = readonly [type: string, file: OutputFile | Folder, path: string];

/** Opened before the request, so that an unwritable file is refused first. */
async function openFiles({ files = [] }: ApiCommand, { output, pdf }: Typed['options']): Promise<Target[]> {
  const paths = [output, pdf].filter((path) => path !== undefined) as string[];
  if (paths.length === 2 && resolve(paths[0]!) === resolve(paths[1]!))
    throw new DomainError('unwritable_file', `Two files cannot be one: ${paths[0]}.`);
  const opened: Target[] = [];
  try {
    for (const path of paths) {
      const type = path === pdf ? TYPES['.pdf']! : (TYPES[endingOf(path)] ?? files[0]!);
      const isFolder = type === TYPES['.zip'] && endingOf(path) !== '.zip';
      opened.push([type, isFolder ? await Folder.open(path) : await OutputFile.open(path), path]);
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map(([, file]) => file.discard()));
    throw error;
  }
}

async function writeFiles(
  client: AdminClient,
  request: AdminRequest,
  targets: readonly Target[],
): Promise<CommandAnswer> {
  try {
    for (const [type, file] of targets) await file.fill(await client.send({ ...request, accept: type }));
    for (const [, file] of targets) await file.complete();
  } catch (error) {
    await Promise.all(targets.map(([, file]) => file.discard()));
    throw error;
  }
  const paths = targets.map(([, , path]) => path);
  const [file, pdf] = paths;
  return { json: { file, ...(pdf !== undefined && { pdf }) }, text: `Wrote ${paths.join(' and ')}.\n` };
}

/** The files of what the request made, such as of a packing list, whose number is in the answer. */
async function showIn(
  client: AdminClient,
  command: ApiCommand,
  made: Facts,
  values: Typed['values'],
  targets: readonly Target[],
): Promise<void> {
  const [id] = Object.values(made);
  if (id === null) return void (await Promise.all(targets.map(([, file]) => file.discard())));
  const named = command.fields.find(({ name }) => name === command.positional[0])!;
  const request = requestOf(command, [[named, id], ...values]);
  await writeFiles(client, request, targets).catch((error: Error) => {
    const again = `"${command.command} ${String(id)} --output <file>" writes it again.`;
    throw new DomainError('unwritable_file', `${error.message} ${again}`, { cause: error });
  });
}

async function* textOf(chunks: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunks)
    yield typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
}

async function openFile(file: string, environment: CliEnvironment) {
  if (file === '-') return { type: TYPES['.csv']!, content: environment.stdin };
  const { size } = await stat(file).catch((cause: Error) => {
    throw new DomainError('unreadable_file', `The file ${file} cannot be read: ${cause.message}`, { cause });
  });
  return {
    type: TYPES[endingOf(file)] ?? TYPES['.csv']!,
    content: withProgress(createReadStream(file), size, environment),
  };
}

function withProgress(content: Readable, size: number, environment: CliEnvironment): Readable {
  const progress = showProgress(environment);
  let sent = 0;
  content.on('data', (chunk: Buffer) => {
    sent += chunk.length;
    progress.show({ phase: 'sending', done: size === 0 ? 1 : sent / size });
  });
  return content.once('close', () => progress.end());
}
