import type { ComponentChildren } from 'preact';

interface FormProps {
  /** Our own path, or an origin from the page's `formTargets`. */
  action: string;
  id?: string;
  /** Hidden fields. */
  hidden?: Readonly<Record<string, string>>;
  /** The question to confirm an action that cannot be undone. */
  confirm?: string;
  /** The form holds a row of buttons or a table, not a column of fields. */
  bare?: boolean;
  children: ComponentChildren;
}

export const Form = ({ action, id, hidden = {}, confirm, bare = false, children }: FormProps) => (
  <form method="post" action={action} id={id} class={bare ? 'bare' : 'form'} data-confirm={confirm}>
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);

interface Common {
  label: string;
  name: string;
  /** Advice shown under the label. */
  hint?: ComponentChildren;
  /** The error of the value that was sent. */
  fault?: string | undefined;
  required?: boolean;
}

interface InputProps extends Common {
  type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date';
  value?: string;
  autocomplete?: string;
  inputmode?: 'text' | 'decimal' | 'numeric' | 'email';
  maxlength?: number;
  placeholder?: string;
  autofocus?: boolean;
  /** Text before the input, such as a currency sign. */
  prefix?: string;
  /** A script fills it from the address's fragment and sends the form. */
  fromFragment?: boolean;
}

export const Field = ({ label, hint, fault, prefix, fromFragment, type = 'text', ...input }: InputProps) => (
  <div class="field">
    <label for={idOf(input.name)}>{label}</label>
    <Hint name={input.name} hint={hint} />
    <Prefixed prefix={prefix}>
      <input
        id={idOf(input.name)}
        type={type as 'text'}
        data-fragment={fromFragment}
        {...describedBy(input.name, hint, fault)}
        {...input}
      />
    </Prefixed>
    <Fault name={input.name} fault={fault} />
  </div>
);

export interface Option {
  value: string;
  text: string;
}

interface SelectProps extends Common {
  options: readonly Option[];
  value?: string;
}

export const Select = ({ label, hint, fault, options, value, ...select }: SelectProps) => (
  <div class="field">
    <label for={idOf(select.name)}>{label}</label>
    <Hint name={select.name} hint={hint} />
    <select id={idOf(select.name)} {...describedBy(select.name, hint, fault)} {...select}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
    <Fault name={select.name} fault={fault} />
  </div>
);

interface ChoicesProps extends Common {
  options: readonly (Option & { hint?: string })[];
  value?: string;
}

/** Radio buttons: all options are visible. */
export const Choices = ({ label, name, hint, fault, options, value, required }: ChoicesProps) => (
  <fieldset class="field choices" {...describedBy(name, hint, fault)}>
    <legend>{label}</legend>
    <Hint name={name} hint={hint} />
    {options.map((option) => (
      <label class="choice">
        <input
          type="radio"
          name={name}
          value={option.value}
          checked={option.value === value}
          required={required}
        />
        <span>
          {option.text}
          {option.hint !== undefined && <span class="hint">{option.hint}</span>}
        </span>
      </label>
    ))}
    <Fault name={name} fault={fault} />
  </fieldset>
);

interface CheckboxProps extends Common {
  value?: string;
  checked?: boolean;
}

export const Checkbox = ({ label, hint, fault, value = 'yes', ...input }: CheckboxProps) => (
  <div class="field">
    <label class="choice">
      <input
        id={idOf(input.name)}
        type="checkbox"
        value={value}
        {...describedBy(input.name, hint, fault)}
        {...input}
      />
      <span>{label}</span>
    </label>
    <Hint name={input.name} hint={hint} />
    <Fault name={input.name} fault={fault} />
  </div>
);

const Hint = ({ name, hint }: Pick<Common, 'name' | 'hint'>) =>
  hint === undefined ? null : (
    <p class="hint" id={`${idOf(name)}-hint`}>
      {hint}
    </p>
  );

const Fault = ({ name, fault }: Pick<Common, 'name' | 'fault'>) =>
  fault === undefined ? null : (
    <p class="fault" id={`${idOf(name)}-fault`}>
      {fault}
    </p>
  );

const Prefixed = ({ prefix, children }: { prefix: string | undefined; children: ComponentChildren }) =>
  prefix === undefined ? (
    <>{children}</>
  ) : (
    <span class="prefixed">
      <span aria-hidden="true">{prefix}</span>
      {children}
    </span>
  );

function idOf(name: string): string {
  return `field-${name}`;
}

/** Connects a field to its hint and its error for screen readers. */
function describedBy(name: string, hint: unknown, fault: string | undefined) {
  const ids = [
    ...(hint === undefined ? [] : [`${idOf(name)}-hint`]),
    ...(fault === undefined ? [] : [`${idOf(name)}-fault`]),
  ];
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': fault === undefined ? undefined : ('true' as const),
  };
}
