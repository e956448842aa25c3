type Json = Record<string, unknown>;

/**
 * Nest writes `nullable`, which OpenAPI 3.1 no longer knows and which never allowed null beside a reference. Here it becomes
 * the null type that every reader of JSON Schema understands.
 */
export function withNullTypes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNullTypes) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withNullTypes(inner) as unknown]),
  ) as Json;
  return (copy.nullable === true ? allowNull(copy) : copy) as Value;
}

function allowNull({ nullable: _, type, allOf, ...schema }: Json): Json {
  if (Array.isArray(allOf)) return { ...schema, oneOf: [...(allOf as unknown[]), { type: 'null' }] };
  const values = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...values, type: [type, 'null'] };
}
