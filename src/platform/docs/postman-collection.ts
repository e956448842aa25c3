import type { OpenAPIObject } from '@nestjs/swagger';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: { example?: unknown };
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
}

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/** Later requests use the number of the order that an earlier one created. */
const KEEP_ORDER_NUMBER =
  "if (pm.response.code === 201) pm.collectionVariables.set('order_number', " +
  'pm.response.json().order_number);';

/** The requests as a Postman collection (format 2.1). Converters keep only one of the two credentials. */
export function postmanCollection({ info, tags = [], paths }: OpenAPIObject, baseUrl: string) {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  return {
    info: {
      name: info.title,
      description:
        'Set the variables `token` and `domain` (and `baseUrl`, if the service is elsewhere). To read an ' +
        'invoice, set `document_number`.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
      { key: 'domain', value: '' },
      { key: 'order_number', value: '' },
      { key: 'document_number', value: '' },
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: [KEEP_ORDER_NUMBER] } }],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: routes.filter(({ operation }) => operation.tags?.includes(name)).map(toItem),
    })),
  };
}

function toItem({ method, path, operation }: Route) {
  const { summary, description, security = [], parameters = [], requestBody } = operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  return {
    name: summary ?? path,
    request: {
      method,
      description,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        ...(security.length > 0 ? [{ key: 'X-Client-Domain', value: '{{domain}}' }] : []),
        ...of('header').map(toSwitch),
      ],
      url: {
        host: ['{{baseUrl}}'],
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query: of('query').map(toSwitch),
        variable: of('path').map(toField),
      },
      ...(requestBody && { body: toBody(requestBody) }),
    },
  };
}

/** Optional parameters are present and disabled. */
function toSwitch(parameter: Parameter) {
  return { ...toField(parameter), disabled: !parameter.required };
}

/** A value without an example comes from the collection's variable of that name. */
function toField({ name, required, description, example, schema }: Parameter) {
  const value = example ?? schema?.example ?? (required ? `{{${name}}}` : '');
  return { key: name, value: String(value), description };
}

function toBody({ content }: NonNullable<Operation['requestBody']>) {
  const [example] = Object.values(content['application/json']?.examples ?? {});
  return {
    mode: 'raw',
    raw: JSON.stringify(example?.value, null, 2),
    options: { raw: { language: 'json' } },
  };
}
