/** A condition on `orders o`, written with `?` for each of its values. */
export type Condition = [text: string, ...values: unknown[]];

export interface NumberedConditions {
  /** Which combination of the possible ones it is, as a number. */
  kind: number;
  /** `$1` is the client. */
  texts: string[];
  values: unknown[];
}

/** Only the conditions that are asked for: PostgreSQL plans each combination by itself, with the index that suits it. */
export function numberConditions(possible: readonly (Condition | undefined)[]): NumberedConditions {
  const asked = possible.filter((condition) => condition !== undefined);
  let position = 1;
  return {
    kind: possible.reduce((kind, condition, bit) => (condition ? kind | (1 << bit) : kind), 0),
    texts: asked.map(([text]) => text.replaceAll('?', () => `$${++position}`)),
    values: asked.flatMap(([, ...values]) => values),
  };
}
