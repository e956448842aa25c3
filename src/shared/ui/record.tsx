import type { ComponentChildren } from 'preact';
import type { FormFields } from '../../platform/http/parse-form.js';
import type { Described } from '../../platform/validation/described-field.js';
import { Field, Select, Switch, SWITCHES, TextArea } from './components/controls.js';
import { textIn } from './forms.js';

/** Values by their labels, for `Facts`. */
export const fieldFacts = <Name extends string>(
  fields: Described<Name>,
  names: readonly Name[],
  words: (name: Name) => ComponentChildren,
) => Object.fromEntries(names.map((name) => [fields[name].label, words(name)]));

interface FieldsProps<Name extends string> {
  of: Described<Name>;
  names: readonly Name[];
  /** The value as text for the form field. */
  typed?: (name: Name) => string;
  /** Replaces the hint of the field. */
  hint?: (name: Name) => string | undefined;
  /** Shown, but not changed. */
  readOnly?: Name;
}

export const FieldGroup = <Name extends string>({
  title,
  ...fields
}: FieldsProps<Name> & { title: string }) => (
  <fieldset class="group">
    <legend>{title}</legend>
    <RecordFields {...fields} />
  </fieldset>
);

/** A form's fields. After an error each field shows its typed value and its error. */
export const RecordFields = <Name extends string>({
  of,
  names,
  typed,
  hint,
  readOnly,
}: FieldsProps<Name>) => (
  <>
    {names.map((name) => {
      const { label, maxLength, isRequired, inputType, inputMode, lines, options, autocomplete, ...field } =
        of[name];
      if (field.isSwitch)
        return <Switch label={label} name={name} isOn={typed?.(name) === 'yes'} hint={hint?.(name)} />;
      const shared = { label, name, hint: hint?.(name) ?? field.hint, required: isRequired };
      const value = typed?.(name);
      if (options) return <Select {...shared} options={options} value={value} />;
      const text = { ...shared, value, maxlength: maxLength };
      return lines === undefined ? (
        <Field
          {...text}
          type={inputType}
          inputmode={inputMode}
          autocomplete={autocomplete}
          readOnly={name === readOnly}
        />
      ) : (
        <TextArea {...text} rows={lines} />
      );
    })}
  </>
);

/**
 * Reads the typed values. A field that the form lacks is left out, and a switch that is off is "no". Browsers
 * send line breaks as CR LF.
 */
export function readRecord<Name extends string>(
  names: readonly Name[],
  form: FormFields,
): Partial<Record<Name, string>> {
  const switches = [form[SWITCHES] ?? []].flat();
  const sent: FormFields = { ...Object.fromEntries(switches.map((name) => [name, 'no'])), ...form };
  const sentNames = names.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(
    sentNames.map((name) => [name, textIn(sent, name).replaceAll('\r\n', '\n').trim()]),
  ) as Partial<Record<Name, string>>;
}
