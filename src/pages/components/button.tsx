import type { ComponentChildren } from 'preact';

type ButtonKind = 'primary' | 'plain' | 'danger';

interface ButtonProps {
  /** One primary button on a page: what should be done next. */
  kind?: ButtonKind;
  name?: string;
  value?: string;
  /** Overrides the form's action. */
  action?: string;
  /** The form's id, for a button outside the form. */
  form?: string;
  disabled?: boolean;
  /** The question to confirm an action that cannot be undone. */
  confirm?: string;
  children: ComponentChildren;
}

export const Button = ({ kind = 'plain', action, confirm, children, ...rest }: ButtonProps) => (
  <button class={`button ${kind}`} formaction={action} data-confirm={confirm} {...rest}>
    {children}
  </button>
);

interface LinkProps {
  href: string;
  kind?: ButtonKind;
  /** The link saves a file. */
  download?: boolean;
  children: ComponentChildren;
}

/** A link that looks like a button. It changes nothing. */
export const ButtonLink = ({ kind = 'plain', children, ...rest }: LinkProps) => (
  <a class={`button ${kind}`} {...rest}>
    {children}
  </a>
);
