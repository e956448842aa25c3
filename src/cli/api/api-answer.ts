import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DomainError } from '../../platform/errors/domain-error.js';
import { jsonArray } from '../../shared/imports/json-text.js';
import type { TimeZone } from '../../platform/time/time.js';
import type { CommandAnswer } from '../answer.js';
import { OutputFile } from '../output-file.js';
import { type CliEnvironment, showProgress } from '../terminal.js';
import { AdminClient, type AdminRequest } from './admin-client.js';
import { describeFacts, type Facts, tableOf } from './answer-text.js';
import { type ApiCommand, type CommandField, endingOf, REFUSED_ROWS, TYPES, wordOf } from './api-command.js';
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

/** A generator returns how many more there are. */
type Rows = AsyncGenerator<Facts, number> | Facts[];

/** Sends the request of a command, and returns what to print. */
export async function performCommand(
  command: ApiCommand,
  { values, options, file }: Typed,
  connection: Connection,
  environment: CliEnvironment,
): Promise<CommandAnswer> {
  const client = new AdminClient(connection, (name) => typedAs(command, name));
  const request = requestOf(command, values);
  const { output, failed, limit, all, json } = options as Record<string, string | undefined>;
  if (output !== undefined) return writeFile(client, command, request, output);
  // An export is a file, also on the screen.
  if (command.path.includes('/exports/') && !json)
    return { json: [], text: textOf(await client.send({ ...request, accept: command.files![0] })) };
  if (command.answer === 'page')
    return list(readRows(client, request, all ? Infinity : Number(limit)), environment);
  const refusedRows = failed === undefined ? undefined : await OutputFile.open(failed, file);
  try {
    const sent = file === undefined ? undefined : await openFile(file, environment);
    const answer = await client.json<Answer>({ ...request, file: sent });
    if (Array.isArray(answer.data)) return list(answer.data, environment);
    const { [REFUSED_ROWS]: rows, ...data } = answer.data;
    await refusedRows?.write(textOf([String(rows ?? '')]));
    return {
      json: data,
      text: (zone) =>
        (answer.dry_run ? 'Nothing is done yet. It would be:\n' : '') + describeFacts(data, zone),
      incomplete: Array.isArray(data.failed) && data.failed.length > 0,
    };
  } catch (error) {
    await refusedRows?.discard();
    throw error;
  }
}

/** Rows as a table. A long list is one table for each page. */
function list(rows: Rows, { stdout }: CliEnvironment): CommandAnswer {
  let left = 0;
  async function* counted() {
    if (Array.isArray(rows)) yield* rows;
    else left = yield* rows;
  }
  async function* tables(timeZone: TimeZone) {
    let page: Facts[] = [];
    let isEmpty = true;
    const { columns } = stdout as { columns?: number };
    for await (const row of counted()) {
      isEmpty = false;
      if (page.push(row) < MAX_PAGE) continue;
      yield tableOf(page, timeZone, columns);
      page = [];
    }
    if (isEmpty) yield 'Nothing.\n';
    else if (page.length > 0) yield tableOf(page, timeZone, columns);
  }
  return { json: jsonArray(counted()), text: tables, leftOut: () => left };
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

/** All rows of a list, or the first. Returns how many more there are: the service does not count them. */
async function* readRows(
  client: AdminClient,
  request: AdminRequest,
  limit: number,
): AsyncGenerator<Facts, number> {
  const url = new URL(request.path, 'http://service');
  for (let left = limit; left > 0;) {
    url.searchParams.set('limit', String(Math.min(left, MAX_PAGE)));
    const path = `${url.pathname}${url.search}`;
    const { data, next } = await client.json<{ data: Facts[]; next: string | null }>({ ...request, path });
    yield* data;
    if (next === null) return 0;
    url.searchParams.set('after', next);
    left -= data.length;
  }
  return Infinity;
}

async function writeFile(
  client: AdminClient,
  { files = [] }: ApiCommand,
  request: AdminRequest,
  output: string,
): Promise<CommandAnswer> {
  const type = TYPES[endingOf(output)] ?? files[0]!;
  const target = await OutputFile.open(output);
  try {
    const content = await client.send({ ...request, accept: type });
    await target.write(content);
  } catch (error) {
    await target.discard();
    throw error;
  }
  return { json: { file: output }, text: `Wrote ${output}.\n` };
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
