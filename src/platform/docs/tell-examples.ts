import type { OpenAPIObject } from '@nestjs/swagger';

interface Parameter {
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: { example?: unknown };
}

/**
 * Swagger UI fills in the example of every parameter, and nobody means all the filters at once. Those that may be left out tell
 * theirs in words instead, so that "Try it out" works as it stands.
 */
export function tellExamplesOfOptionalParameters(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { parameters?: Parameter[] }[]) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'query' && !parameter.required) tellExample(parameter);
      }
    }
  }
  return document;
}

function tellExample(parameter: Parameter): void {
  const example = parameter.example ?? parameter.schema?.example;
  if (example === undefined) return;
  delete parameter.example;
  delete parameter.schema?.example;
  parameter.description = `${parameter.description ?? ''} For example \`${String(example)}\`.`.trim();
}
