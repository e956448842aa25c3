import { snakeCase } from '../snake-case.js';

/** A field that people see and set. Lists of facts, forms and options of commands follow from it. */
export interface DescribedField {
  label: string;
  /** Advice in a form, and in the help of a command. */
  hint?: string;
  maxLength?: number;
  isRequired?: true;
  inputType?: 'email';
  inputMode?: 'decimal';
  /** A text of so many lines. */
  lines?: number;
  /** The only values. */
  options?: readonly { value: string; text: string }[];
  autocomplete?: string;
  /** Yes or no, as a switch in a form. */
  isSwitch?: true;
}

export type Described<Name extends string> = Readonly<Record<Name, DescribedField>>;

/** The texts of these fields, whose names are in camelCase in options and in snake_case in bodies. */
export function pickTexts<Name extends string>(names: readonly Name[], values: object) {
  const texts = new Map(Object.entries(values).map(([name, text]) => [snakeCase(name), text as string]));
  const given = names.map((name) => [name, texts.get(snakeCase(name))] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== undefined)) as Partial<Record<Name, string>>;
}
