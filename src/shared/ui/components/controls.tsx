import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Minor } from '../../../platform/money/money.js';
import { currencySign } from '../../../platform/formats.js';
import { type SubmittedForm, textIn } from '../forms.js';
import type { Link } from '../page.js';
import { Card, Icon } from './layout.js';
import { PagePath } from './values.js';

type ButtonKind = 'primary' | 'plain' | 'danger';

interface ButtonProps {
  /** A page has one primary button: the next step. */
  kind?: ButtonKind;
  name?: string;
  value?: string;
  /** Overrides the form's action. */
  action?: string;
  /** A script disables it after a change of the form's fields, until they are checked again. */
  isForUnchangedForm?: boolean;
  'aria-label'?: string;
  children: ComponentChildren;
}

export const Button = ({ kind = 'plain', action, isForUnchangedForm, children, ...rest }: ButtonProps) => (
  <button class={`button ${kind}`} formaction={action} data-checked={isForUnchangedForm} {...rest}>
    {children}
  </button>
);

interface LinkProps {
  href: string;
  kind?: ButtonKind;
  children: ComponentChildren;
}

/** A link that looks like a button. It changes nothing. */
export const ButtonLink = ({ kind = 'plain', href, children }: LinkProps) => (
  <a class={`button ${kind}`} href={href}>
    {children}
  </a>
);

export const DownloadLink = ({ href, children }: Omit<LinkProps, 'kind'>) => (
  <a class="button plain" href={href} download>
    <Icon name="download" />
    {children}
  </a>
);

interface FormProps {
  /** Our own path, or an origin from the page's `formTargets`. By default the path of the page. */
  action?: string | undefined;
  id?: string;
  /** Hidden fields. A list is sent as several fields of one name. */
  hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** The question to confirm an action that cannot be undone. */
  confirm?: string;
  /** For a form with a row of buttons or a table instead of a column of fields. */
  bare?: boolean;
  /** A script submits the form when the page opens. */
  submitsItself?: boolean;
  /** For a form with a file. */
  enctype?: 'multipart/form-data';
  children: ComponentChildren;
}

export const Form = (props: FormProps) => {
  const path = useContext(PagePath);
  const { action = path, hidden = {}, confirm, bare = false, submitsItself, children, ...form } = props;
  return (
    <form
      method="post"
      class={bare ? 'bare' : 'form'}
      data-confirm={confirm}
      data-goes-on={submitsItself}
      action={action}
      {...form}
    >
      {Object.entries(hidden).flatMap(([name, values]) =>
        [values].flat().map((value) => <input type="hidden" name={name} value={value} />),
      )}
      {children}
    </form>
  );
};

export const FormCard = ({ title, ...form }: FormProps & { title?: string }) => (
  <Card title={title}>
    <Form {...form} />
  </Card>
);

interface ConfirmFormProps {
  action: string;
  confirm: string;
  /** The link for people who do not confirm. */
  keep: Link;
}

/** A page that asks before an action that cannot be undone. */
export const ConfirmForm = ({ action, confirm, keep }: ConfirmFormProps) => (
  <Form action={action} bare>
    <div class="actions">
      <ButtonLink href={keep.href}>{keep.text}</ButtonLink>
      <Button kind="danger">{confirm}</Button>
    </div>
  </Form>
);

/** After an error, the fields inside show their typed values and errors. */
export const SubmittedFormContext = createContext<SubmittedForm>({ fields: {}, faults: {} });

interface LabelProps {
  label: string;
  name: string;
  hint?: ComponentChildren;
  required?: boolean;
}

interface FieldProps extends LabelProps {
  type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date' | 'datetime-local';
  value?: string | undefined;
  /** Off by default: most fields do not describe the person who fills them in. */
  autocomplete?: string;
  inputmode?: 'text' | 'decimal' | 'numeric' | 'email';
  maxlength?: number;
  autofocus?: boolean;
  readOnly?: boolean;
  /** A secret is never shown again. */
  isSecret?: boolean;
  /** A script fills it from the address's fragment and sends the form. */
  fromFragment?: boolean | 'stay';
}

export const Field = ({ label, hint, type = 'text', value, ...field }: FieldProps) => {
  const { isSecret = type === 'password', fromFragment, autocomplete = 'off', ...input } = field;
  const { id, typed, described, takesFocus, renderField } = useField({ label, hint, ...field });
  return renderField(
    <input
      id={id}
      type={type as 'text'}
      data-fragment={fromFragment}
      value={isSecret ? undefined : (typed ?? value)}
      {...described}
      {...input}
      autocomplete={autocomplete}
      autofocus={takesFocus ?? input.autofocus}
    />,
  );
};

interface TextAreaProps extends LabelProps {
  value?: string | undefined;
  rows: number;
  maxlength?: number;
  autofocus?: boolean;
}

export const TextArea = ({ label, hint, value, ...field }: TextAreaProps) => {
  const { id, typed = value, described, takesFocus, renderField } = useField({ label, hint, ...field });
  return renderField(
    <textarea id={id} spellcheck={false} {...described} {...field} autofocus={takesFocus ?? field.autofocus}>
      {typed}
    </textarea>,
  );
};

interface FileFieldProps extends LabelProps {
  /** Such as ".csv,.xlsx". */
  accept: string;
  /** A script refuses larger files before they are sent. */
  maxBytes: number;
}

export const FileField = ({ label, hint, maxBytes, ...input }: FileFieldProps) => {
  const { id, described, takesFocus, renderField } = useField({ label, hint, ...input });
  const file = { id, type: 'file' as const, 'data-max-bytes': maxBytes, autofocus: takesFocus };
  return renderField(<input {...file} {...input} {...described} />);
};

export const EmailField = (field: Pick<FieldProps, 'value' | 'autocomplete' | 'autofocus'>) => (
  <Field label="E-mail address" name="email" type="email" maxlength={254} required {...field} />
);

type PasswordProps = Pick<FieldProps, 'label' | 'name' | 'hint' | 'autofocus'> & { isNew?: boolean };

export const PasswordField = ({ isNew = false, ...field }: PasswordProps) => (
  <Field type="password" autocomplete={isNew ? 'new-password' : 'current-password'} required {...field} />
);

type AmountProps = Pick<FieldProps, 'label' | 'name' | 'hint' | 'value' | 'required'> & { currency: string };

export const AmountField = ({ currency, label, ...field }: AmountProps) => (
  <Field label={`${label} (${currencySign(currency)})`} inputmode="decimal" maxlength={30} {...field} />
);

interface Option {
  value: string;
  text: string;
  hint?: string;
}

interface ChoiceProps extends LabelProps {
  options: readonly Option[];
  value?: string;
}

export const Select = ({ label, hint, options, value, ...select }: ChoiceProps) => {
  const { id, typed = value, described, takesFocus, renderField } = useField({ label, hint, ...select });
  return renderField(
    <select id={id} autofocus={takesFocus} {...described} {...select}>
      <Options options={options} selected={typed} />
    </select>,
  );
};

interface OptionsProps {
  options: readonly Option[];
  selected: string | undefined;
}

const Options = ({ options, selected }: OptionsProps) => (
  <>
    {options.map(({ value, text }) => (
      <option value={value} selected={value === selected}>
        {text}
      </option>
    ))}
  </>
);

/** A list's filter, beside its search. */
export const FilterSelect = ({ name, label, all, ...options }: OptionsProps & FilterProps) => (
  <select name={name} aria-label={label}>
    {all !== undefined && <option value="">{all}</option>}
    <Options {...options} />
  </select>
);

interface FilterProps {
  name: string;
  /** The name for screen readers. */
  label: string;
  /** The option without a filter: "All months". */
  all?: string;
}

/** Radio buttons: all options are visible. */
export const Choices = ({ value, ...props }: ChoiceProps) => {
  const { typed = value } = useField(props);
  return <Boxes type="radio" isChecked={(option) => option === typed} {...props} />;
};

interface ChecksProps extends Omit<ChoiceProps, 'value'> {
  values: readonly string[];
}

/** Checkboxes: any number of options. */
export const Checks = ({ values, ...props }: ChecksProps) => {
  const { fields } = useContext(SubmittedFormContext);
  const typed = Object.keys(fields).length > 0 ? [fields[props.name] ?? []].flat() : values;
  return <Boxes type="checkbox" isChecked={(option) => typed.includes(option)} {...props} />;
};

/** A browser does not send a checkbox that is off, so the form names its switches in this field. */
export const SWITCHES = 'switches';

export const Switch = ({ label, name, hint, isOn }: LabelProps & { isOn: boolean }) => {
  const { fields } = useContext(SubmittedFormContext);
  const { described, ...texts } = useField({ label, name, hint });
  const checked = Object.keys(fields).length > 0 ? textIn(fields, name) === 'yes' : isOn;
  return (
    <div class="field" {...described}>
      <input type="hidden" name={SWITCHES} value={name} />
      <label class="choice">
        <input type="checkbox" role="switch" class="switch" name={name} value="yes" checked={checked} />
        <span>{label}</span>
      </label>
      {texts.hint}
      {texts.fault}
    </div>
  );
};

interface BoxesProps extends Omit<ChoiceProps, 'value'> {
  type: 'radio' | 'checkbox';
  isChecked: (option: string) => boolean;
}

const Boxes = ({ type, isChecked, label, name, hint, options, required }: BoxesProps) => {
  const { described, ...texts } = useField({ label, name, hint });
  return (
    <fieldset class="field choices" {...described}>
      <legend>{label}</legend>
      {texts.hint}
      {options.map((option, at) => (
        <label class="choice">
          <input
            autofocus={at === 0 && texts.takesFocus}
            type={type}
            name={name}
            value={option.value}
            checked={isChecked(option.value)}
            required={required}
          />
          <span>
            {option.text}
            {option.hint !== undefined && <span class="hint">{option.hint}</span>}
          </span>
        </label>
      ))}
      {texts.fault}
    </fieldset>
  );
};

/** Label, hint and error of a field, connected with it for screen readers. */
function useField({ label, name, hint }: LabelProps) {
  const { fields, faults } = useContext(SubmittedFormContext);
  const fault = faults[name];
  const id = idOf(name);
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  const texts = {
    hint: hint !== undefined && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    ),
    fault: fault !== undefined && (
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    ),
  };
  return {
    id,
    /** After an error the first wrong field takes the focus. */
    takesFocus: Object.keys(faults).length === 0 ? undefined : fault !== undefined,
    typed: name in fields ? textIn(fields, name) : undefined,
    described: {
      'aria-describedby': ids.filter(Boolean).join(' ') || undefined,
      'aria-invalid': fault === undefined ? undefined : ('true' as const),
    },
    ...texts,
    /** Renders the field around its input. */
    renderField: (box: ComponentChildren) => (
      <div class="field">
        <label for={id}>{label}</label>
        {texts.hint}
        {box}
        {texts.fault}
      </div>
    ),
  };
}

function idOf(name: string): string {
  return `field-${name}`;
}

/** Copies the element with this id. `copy.js` shows the button and announces the copy. */
export const CopyButton = ({ of }: { of: string }) => (
  <>
    <button type="button" class="button plain" data-copies={of} hidden>
      <Icon name="copy" />
      <span>Copy</span>
    </button>
    <span class="unseen" role="status" />
  </>
);

interface CopyProps {
  label: string;
  /** Unique on the page. */
  id: string;
  text: string;
}

/** A short text to copy. Without scripts people can select it. */
export const CopyField = ({ label, id, text }: CopyProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <span class="copy">
      <input id={id} class="code" readOnly value={text} spellcheck={false} />
      <CopyButton of={id} />
    </span>
  </div>
);

/** Lines to copy. They take focus so that keys can scroll them; the label is for screen readers. */
export const CopyBlock = ({ label, id, text }: CopyProps) => (
  <div class="copy-block">
    <pre id={id} tabIndex={0} role="group" aria-label={label}>
      {text}
    </pre>
    <CopyButton of={id} />
  </div>
);

interface RowCheckboxProps {
  name: string;
  value: string;
  /** The name for screen readers. */
  label: string;
  /** The amount that the row adds to the total on the button. */
  minor?: Minor;
  /** The form's id, for a checkbox outside the form. */
  form: string;
}

export const RowCheckbox = ({ label, minor, ...input }: RowCheckboxProps) => (
  <input type="checkbox" class="choose" aria-label={label} data-minor={minor} {...input} />
);

interface SelectionButtonProps {
  /** The label while rows are selected: "Pay {count} from wallet · {total}". */
  selectedLabel: string;
  /** The label while no row is selected: "Choose orders to pay". */
  emptyLabel: string;
  /** The label above this total: "Review and pay {count} · {total}". */
  aboveLimit?: { minor: Minor; label: string };
  currency?: string;
  kind?: ButtonKind;
  name?: string;
  value?: string;
  /** The label without scripts: "Review and pay the selected orders". */
  children: string;
}

export const SelectionButton = ({
  selectedLabel,
  emptyLabel,
  aboveLimit,
  currency,
  kind,
  children,
  ...rest
}: SelectionButtonProps) => (
  <button
    class={`button ${kind ?? 'primary'}`}
    data-chosen={selectedLabel}
    data-none={emptyLabel}
    data-limit={aboveLimit?.minor}
    data-beyond={aboveLimit?.label}
    data-currency={currency}
    {...rest}
  >
    {children}
  </button>
);

interface SelectedTotalProps {
  name: string;
  /** Above this total the field stays empty. */
  limit: Minor;
}

/** Sends the total that the button showed. Empty without scripts, because no total was shown. */
export const SelectedTotal = ({ name, limit }: SelectedTotalProps) => (
  <input type="hidden" class="chosen-total" name={name} data-limit={limit} />
);
