import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown; schema?: Schema }[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  };
  responses?: Record<string, { content?: Record<string, unknown> }>;
  security?: object[];
}

/** A request with the examples of the document. */
interface SampleRequest {
  method: string;
  /** With its query. */
  path: string;
  body: unknown;
  needsCredentials: boolean;
  /** The name to save a file under. Other answers are JSON. */
  file: string | undefined;
}

/** In each language, without packages. `API`, `TOKEN` and `DOMAIN` come from the environment. */
const LANGUAGES = [
  { lang: 'Shell', label: 'curl', write: writeCurl },
  { lang: 'PHP', label: 'PHP', write: writePhp },
  { lang: 'Python', label: 'Python', write: writePython },
  { lang: 'JavaScript', label: 'Node.js', write: writeNode },
] as const;

/** Adds `x-codeSamples` to each operation, in the form that Redoc and other tools read. */
export function addCodeSamples(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
      const request = sampleRequest(document, method.toUpperCase(), path, operation);
      const samples = LANGUAGES.map(({ lang, label, write }) => ({ lang, label, source: write(request) }));
      Object.assign(operation, { 'x-codeSamples': samples });
    }
  return document;
}

function sampleRequest(
  document: OpenAPIObject,
  method: string,
  path: string,
  { parameters = [], requestBody, responses = {}, security = [] }: Operation,
): SampleRequest {
  const filled = parameters
    .map((parameter) => ({ ...parameter, text: String(parameter.example ?? parameter.schema?.example) }))
    .filter(({ in: place, required }) => place === 'path' || (place === 'query' && required));
  const query = filled.filter(({ in: place }) => place === 'query');
  const json = requestBody?.content['application/json'];
  const [example] = Object.values(json?.examples ?? {});
  const isFile = Object.keys(responses['200']?.content ?? {}).includes('application/pdf');
  return {
    method,
    path: [
      filled.reduce((all, { name, text }) => all.replace(`{${name}}`, encodeURIComponent(text)), path),
      query.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('&'),
    ]
      .filter((part) => part !== '')
      .join('?'),
    body: json && (example?.value ?? exampleOf(document, json.schema)),
    needsCredentials: security.length > 0,
    file: isFile ? `${filled[0]!.text}.pdf` : undefined,
  };
}

function exampleOf(document: OpenAPIObject, schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return exampleOf(document, document.components!.schemas![name] as Schema);
  }
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part)));
  if (schema.items) return [exampleOf(document, schema.items)];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field)]));
}

function writeCurl({ method, path, body, needsCredentials, file }: SampleRequest): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl -sS${isPlain ? '' : ` -X ${method}`} "$API${path}"`,
    ...(needsCredentials ? ['-H "Authorization: Bearer $TOKEN"', '-H "X-Client-Domain: $DOMAIN"'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
    ...(file === undefined ? [] : [`-o ${file}`]),
  ].join(' \\\n  ');
}

function writePhp({ method, path, body, needsCredentials, file }: SampleRequest): string {
  const headers = [
    ...(needsCredentials
      ? ["'Authorization: Bearer ' . getenv('TOKEN')", "'X-Client-Domain: ' . getenv('DOMAIN')"]
      : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  return [
    '<?php',
    "$options = ['http' => [",
    "    'ignore_errors' => true,",
    ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
    ...(headers.length === 0
      ? []
      : ["    'header' => [", ...headers.map((header) => `        ${header},`), '    ],']),
    ...(body === undefined ? [] : [`    'content' => json_encode(${writeLiteral(body, PHP, '    ')}),`]),
    ']];',
    `$answer = file_get_contents(getenv('API') . '${path}', false, stream_context_create($options));`,
    file === undefined
      ? String.raw`echo $http_response_header[0], "\n", $answer, "\n";`
      : `file_put_contents('${file}', $answer);`,
  ].join('\n');
}

function writePython({ method, path, body, needsCredentials, file }: SampleRequest): string {
  const headers = [
    ...(needsCredentials
      ? ['"Authorization": "Bearer " + os.environ["TOKEN"]', '"X-Client-Domain": os.environ["DOMAIN"]']
      : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  return [
    'import json',
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    os.environ["API"] + "${path}",`,
    `    method="${method}",`,
    ...(headers.length === 0
      ? []
      : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${writeLiteral(body, PYTHON, '    ')}).encode(),`]),
    ')',
    'with urlopen(request) as response:',
    file === undefined
      ? '    print(response.status, json.load(response))'
      : `    open("${file}", "wb").write(response.read())`,
  ].join('\n');
}

function writeNode({ method, path, body, needsCredentials, file }: SampleRequest): string {
  const headers = [
    ...(needsCredentials
      ? ['Authorization: `Bearer ${process.env.TOKEN}`', "'X-Client-Domain': process.env.DOMAIN"]
      : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((header) => `    ${header},`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${writeLiteral(body, NODE, '  ')}),`]),
  ];
  const address = '`${process.env.API}' + path + '`';
  return [
    ...(file === undefined ? [] : ["import { writeFileSync } from 'node:fs';", '']),
    ...(options.length === 0
      ? [`const response = await fetch(${address});`]
      : [`const response = await fetch(${address}, {`, ...options, '});']),
    file === undefined
      ? 'console.log(response.status, JSON.stringify(await response.json()));'
      : `writeFileSync('${file}', Buffer.from(await response.arrayBuffer()));`,
  ].join('\n');
}

interface LiteralStyle {
  object: readonly [open: string, close: string];
  /** Between a name and its value. */
  pair: string;
  indent: string;
  text: (text: string) => string;
  words: Readonly<Record<string, string>>;
}

const phpText = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const PHP: LiteralStyle = { object: ['[', ']'], pair: ' => ', indent: '    ', text: phpText, words: {} };
const NODE: LiteralStyle = { object: ['{', '}'], pair: ': ', indent: '  ', text: JSON.stringify, words: {} };
const PYTHON: LiteralStyle = {
  object: ['{', '}'],
  pair: ': ',
  indent: '    ',
  text: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A value of JSON in another language, with a line for each entry. */
function writeLiteral(value: unknown, style: LiteralStyle, indent: string): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.words[String(value)] ?? String(value);
  const inner = indent + style.indent;
  const entries = Array.isArray(value)
    ? value.map((one) => writeLiteral(one, style, inner))
    : Object.entries(value).map(
        ([name, one]) => style.text(name) + style.pair + writeLiteral(one, style, inner),
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : style.object;
  return [open, ...entries.map((entry) => `${inner}${entry},`), indent + close].join('\n');
}

/**
 * A plugin of Swagger UI, which does not know `x-codeSamples`: shows them above the responses. Nest writes
 * functions into the page as text. The text of a bundled function would call helpers that the page lacks.
 */
export const codeSamplesPlugin = Object.assign(() => undefined, {
  toString: () => `() => ({
    wrapComponents: {
      responses: (Responses, { React, specSelectors }) => (props) => {
        const { createElement: element } = React;
        const samples = specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples']);
        const views = (samples ? samples.toJS() : []).map(({ label, source }) =>
          element('details', { key: label }, element('summary', null, label), element('pre', null, source)));
        return element(
          'div',
          { className: 'code-samples' },
          element('div', { className: 'opblock-section-header' }, element('h4', null, 'Code')),
          element('div', { className: 'opblock-description-wrapper' }, ...views),
          element(Responses, props),
        );
      },
    },
  })`,
});
