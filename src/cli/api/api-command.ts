import { readFileSync } from 'node:fs';

/** What a typed value becomes. A time may have the day first. `units` are such as `1=2`: two of line 1. */
type FieldKind = 'text' | 'time' | 'number' | 'flag' | 'list' | 'units';

export interface CommandField {
  name: string;
  in: 'path' | 'query' | 'body' | 'header';
  kind: FieldKind;
  about: string;
  required?: true;
  choices?: readonly string[];
}

/** A command that is one request of the admin API. */
export interface ApiCommand {
  /** Such as "order ship". */
  command: string;
  about: string;
  method: string;
  path: string;
  /** The fields that are typed without their names, in this order. */
  positional: readonly string[];
  fields: readonly CommandField[];
  /** The media types of the file that it sends. */
  sends?: readonly string[];
  answer: 'one' | 'page' | 'rows';
  /** The media types of the files that it can answer with. */
  files?: readonly string[];
  /** A part of its answer is a file of the person. */
  keeps?: true;
  /** The command that shows what it made, and has its files. */
  viewedBy?: ApiCommand;
}

/** The file in an answer that has more than the file. */
export const KEPT_FILE = 'file';

/** The refused rows are a part of the answer, and a file of the person. */
export const REFUSED_ROWS = 'failed_file';

/** Media types by the endings of files. */
export const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.zip': 'application/zip',
};

export const endingOf = (file: string) => /\.\w+$/.exec(file.toLowerCase())?.[0] ?? '';

/** `order_number` is typed as `order-number`, and each of `lines` as `line`. */
export function wordOf({ name, kind }: Pick<CommandField, 'name' | 'kind'>): string {
  if (name === REFUSED_ROWS) return 'failed';
  const word = name === 'Idempotency-Key' ? 'key' : name.replaceAll('_', '-');
  return kind === 'units' ? word.replace(/s$/, '') : word;
}

/** Made from the document of the admin API, so that the help needs no service. A test compares them. */
export const COMMANDS_FILE = new URL('commands.jsonl', import.meta.url);

/** What the first makes, the second shows. */
const VIEWED_BY: Record<string, string> = { 'packing new': 'packing show' };

export function readCommands(): ApiCommand[] {
  const lines = readFileSync(COMMANDS_FILE, 'utf8').trim().split('\n');
  const commands = lines.map((line) => JSON.parse(line) as ApiCommand);
  return commands.map((one) => {
    const viewedBy = commands.find(({ command }) => command === VIEWED_BY[one.command]);
    return viewedBy ? { ...one, viewedBy } : one;
  });
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  description?: string;
  example?: unknown;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

type Content = Record<string, { schema: Schema }>;

interface Parameter {
  name: string;
  in: CommandField['in'];
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  'x-command'?: string;
  'x-arguments'?: string[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = 'application/json';

const EXAMPLE = / For example `([^`]*)`\.$/;
const TIME = /^\d{4}-\d\d-\d\d/;

/** Pages are read by `--limit` and `--all`. A refused change is tried again by hand. */
const UNTYPED = ['after', 'limit', 'If-Match'];

/** The commands in an OpenAPI document. */
export function commandsIn({ paths, components }: Document): ApiCommand[] {
  const open = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;

  const toField = (
    place: CommandField['in'],
    name: string,
    about: string,
    schema: Schema,
    required?: boolean,
  ) => ({
    name,
    in: place,
    // Optional parameters have their example in words.
    kind: kindOf({ example: EXAMPLE.exec(about)?.[1], ...schema }),
    about: about.replace(EXAMPLE, '').replace(/[.]$/, ''),
    ...(required && { required }),
    ...(open(schema).enum && { choices: open(schema).enum }),
  });

  const kindOf = (schema: Schema): FieldKind => {
    const [type] = [open(schema).type].flat();
    if (type === 'array') return open(open(schema).items!).type === 'object' ? 'units' : 'list';
    if (type === 'boolean') return 'flag';
    if (type === 'integer' || type === 'number') return 'number';
    return TIME.test(String(open(schema).example)) ? 'time' : 'text';
  };

  const fieldsOf = ({ parameters = [], requestBody }: Operation) => {
    const { properties = {}, required = [] } = open(requestBody?.content[JSON_TYPE]?.schema ?? {});
    return [
      ...parameters
        .filter(({ name }) => !UNTYPED.includes(name))
        .map((one) => toField(one.in, one.name, one.description ?? '', one.schema, one.required)),
      ...Object.entries(properties).map(([name, schema]) =>
        toField('body', name, schema.description ?? '', schema, required.includes(name)),
      ),
    ] as CommandField[];
  };

  const answerOf = ({ responses, parameters = [] }: Operation) => {
    const { [JSON_TYPE]: json, ...files } = (responses[200] ?? responses[201])!.content!;
    const { properties } = json!.schema.anyOf?.[0] ?? json!.schema;
    const isPaged = parameters.some(({ name }) => name === 'after');
    const data = open(properties!.data!);
    const answer = isPaged ? 'page' : data.type === 'array' ? 'rows' : 'one';
    const keeps = data.properties?.[KEPT_FILE] && ({ keeps: true } as const);
    const types = Object.keys(files);
    return { answer, ...(types.length > 0 && { files: types }), ...keeps } as const;
  };

  const sentBy = ({ requestBody }: Operation) => {
    const types = Object.keys(requestBody?.content ?? {}).filter((type) => type !== JSON_TYPE);
    return types.length > 0 && { sends: types };
  };

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { 'x-command': command, 'x-arguments': named = [], summary } = operation;
      if (command === undefined) return [];
      const fields = fieldsOf(operation);
      const inPath = fields.filter((field) => field.in === 'path').map(({ name }) => name);
      const positional = [...inPath, ...named];
      const about = summary.replace(/[.]$/, '');
      const request = { command, about, method: method.toUpperCase(), path, positional, fields };
      return { ...request, ...sentBy(operation), ...answerOf(operation) };
    }),
  );
}
