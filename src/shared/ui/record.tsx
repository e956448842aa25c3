import type { ComponentChildren } from 'preact';
import type { FormFields } from '../../platform/http/parse-form.js';
import type { Described } from '../../platform/validation/described-field.js';
import { Button, Field, FormCard, Select, TextArea } from './components/controls.js';
import { Card, Facts } from './components/layout.js';
import { textIn } from './forms.js';

/** The values by their labels, for `Facts`. */
export const factsOf = <Name extends string>(
  fields: Described<Name>,
  names: readonly Name[],
  words: (name: Name) => ComponentChildren,
) => Object.fromEntries(names.map((name) => [fields[name].label, words(name)]));

interface FieldsProps<Name extends string> {
  of: Described<Name>;
  names: readonly Name[];
  /** The value as a form takes it. */
  typed?: (name: Name) => string;
  /** Instead of the advice of the field. */
  hint?: (name: Name) => string | undefined;
}

/** A form's fields. After a refusal each shows what was typed and what is wrong. */
export const RecordFields = <Name extends string>({ of, names, typed, hint }: FieldsProps<Name>) => (
  <>
    {names.map((name) => {
      const { label, longest, isRequired, inputType, inputMode, lines, options, autocomplete, ...field } =
        of[name];
      const shared = { label, name, hint: hint?.(name) ?? field.hint, required: isRequired };
      const value = typed?.(name);
      if (options) return <Select {...shared} options={options} value={value} />;
      const text = { ...shared, value, maxlength: longest };
      return lines === undefined ? (
        <Field {...text} type={inputType} inputmode={inputMode} autocomplete={autocomplete} />
      ) : (
        <TextArea {...text} rows={lines} />
      );
    })}
  </>
);

interface ChangeProps<Name extends string> extends FieldsProps<Name> {
  words: (name: Name) => ComponentChildren;
  action: string;
  /** The values that the person saw, as a text that the form sends back. */
  shown: string;
}

/** The current values beside the form, for a person who meets the change of another one. */
export const ChangeRecord = <Name extends string>({ words, action, shown, ...fields }: ChangeProps<Name>) => (
  <div class="columns">
    <Card title="Current details">
      <Facts of={factsOf(fields.of, fields.names, words)} />
    </Card>
    <FormCard title="Change the details" action={action} hidden={{ shown }}>
      <RecordFields {...fields} />
      <Button kind="primary">Save the details</Button>
    </FormCard>
  </div>
);

/** What was typed. A field that the form lacks stays as it is. A browser sends line breaks as CR LF. */
export function readRecord<Name extends string>(
  names: readonly Name[],
  form: FormFields,
): Partial<Record<Name, string>> {
  const given = names.filter((name) => form[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => [name, textIn(form, name).replaceAll('\r\n', '\n').trim()]),
  ) as Partial<Record<Name, string>>;
}
