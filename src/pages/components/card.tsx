import type { ComponentChildren } from 'preact';

interface Props {
  title?: ComponentChildren;
  /** At the right of the title. */
  actions?: ComponentChildren;
  /** A table or a list that reaches from edge to edge; else the content has a margin. */
  flush?: boolean;
  /** For links to it. */
  id?: string;
  children?: ComponentChildren;
}

export const Card = ({ title, actions, flush = false, id, children }: Props) => (
  <section class="card" id={id}>
    {(title !== undefined || actions !== undefined) && (
      <div class="card-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
    )}
    {flush ? children : <div class="card-body">{children}</div>}
  </section>
);
