import type { ComponentChildren } from 'preact';

type ButtonKind = 'primary' | 'plain' | 'danger';

interface ButtonProps {
  /** One primary button on a page: what should be done next. */
  kind?: ButtonKind;
  name?: string;
  value?: string;
  /** Sends what was typed elsewhere than the form says. */
  action?: string;
  /** The id of the form that it belongs to, if it stands outside. */
  form?: string;
  disabled?: boolean;
  /** Asked before: what cannot be undone. */
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
  /** A file to be saved. */
  download?: boolean;
  children: ComponentChildren;
}

/** Goes somewhere, and changes nothing. */
export const ButtonLink = ({ kind = 'plain', children, ...rest }: LinkProps) => (
  <a class={`button ${kind}`} {...rest}>
    {children}
  </a>
);
