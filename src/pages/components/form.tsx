import type { ComponentChildren } from 'preact';

interface Props {
  /** Where it is posted to: an address of ours, or one of the page's `formTargets`. */
  action: string;
  id?: string;
  /** Sent along unseen. */
  hidden?: Readonly<Record<string, string>>;
  /** Asked before it is sent: what cannot be undone. */
  confirm?: string;
  /** Only a line of buttons or a table in it: no column of fields. */
  bare?: boolean;
  children: ComponentChildren;
}

export const Form = ({ action, id, hidden = {}, confirm, bare = false, children }: Props) => (
  <form method="post" action={action} id={id} class={bare ? 'bare' : 'form'} data-confirm={confirm}>
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);
