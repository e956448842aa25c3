import type { ComponentChildren } from 'preact';

interface CardProps {
  title?: ComponentChildren;
  /** At the right of the title. */
  actions?: ComponentChildren;
  /** No margin: a table or a list fills the card. */
  flush?: boolean;
  /** The anchor for links. */
  id?: string;
  children?: ComponentChildren;
}

export const Card = ({ title, actions, flush = false, id, children }: CardProps) => (
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

interface WithAsideProps {
  /** Beside the content on wide screens, below it on narrow ones. */
  aside: ComponentChildren;
  children: ComponentChildren;
}

/** The main content with a side column. */
export const WithAside = ({ aside, children }: WithAsideProps) => (
  <div class="with-aside">
    <div class="stack">{children}</div>
    <div class="stack">{aside}</div>
  </div>
);

interface EmptyProps {
  /** What to do next. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** An empty list: the reason, and the next step. */
export const Empty = ({ action, children }: EmptyProps) => (
  <div class="empty">
    {children}
    {action && <div class="actions">{action}</div>}
  </div>
);

interface FactsProps {
  /** Aligns amounts right, one below the other. */
  sums?: boolean;
  children: ComponentChildren;
}

/** Names and values of one thing. */
export const Facts = ({ sums = false, children }: FactsProps) => (
  <dl class={sums ? 'facts sums' : 'facts'}>{children}</dl>
);

export const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);

/** Up to four key figures. */
export const Tiles = ({ children }: { children: ComponentChildren }) => <dl class="tiles">{children}</dl>;

interface TileProps {
  label: string;
  /** Such as "3 orders, first due in 6 hours". */
  note?: ComponentChildren;
  /** Where to see more. */
  href?: string;
  children: ComponentChildren;
}

export const Tile = ({ label, note, href, children }: TileProps) => (
  <div class="tile card">
    <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
    <dd class="figure">{children}</dd>
    {note !== undefined && <dd class="note">{note}</dd>}
  </div>
);
