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
