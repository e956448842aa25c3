/** `unpaidOrdersLimit` → `unpaid_orders_limit`. */
type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

type SnakeCased<Value> = Value extends Date
  ? Date
  : Value extends readonly (infer Each)[]
    ? SnakeCased<Each>[]
    : Value extends object
      ? { [Name in keyof Value as SnakeCase<Name>]: SnakeCased<Value[Name]> }
      : Value;

/** The names of commands' answers and of the audit log. Only for values whose names are ours. */
export function inSnakeCase<Value>(value: Value): SnakeCased<Value> {
  return renamed(value) as SnakeCased<Value>;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCase(name), renamed(each)]));
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
