import type { ComponentChildren } from 'preact';
import type { Link, NoticeContent } from '../page.js';

interface CardProps {
  title?: ComponentChildren;
  /** At the right of the title. */
  actions?: ComponentChildren;
  /** No margin: a table or a list fills the card. */
  flush?: boolean;
  /** The anchor for links. They move the focus here. */
  id?: string;
  children?: ComponentChildren;
}

export const Card = ({ title, actions, flush = false, id, children }: CardProps) => (
  <section class="card" id={id} tabIndex={id === undefined ? undefined : -1}>
    {(title !== undefined || actions !== undefined) && (
      <div class="card-head">
        {title !== undefined && <h2>{title}</h2>}
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

export const WithAside = ({ aside, children }: WithAsideProps) => (
  <div class="with-aside">
    <div class="stack">{children}</div>
    <div class="stack">{aside}</div>
  </div>
);

interface EmptyProps {
  /** What to do next. */
  next?: (Link & { kind?: 'primary' }) | false | undefined;
  children: ComponentChildren;
}

/** An empty list: the reason, and the next step. */
export const Empty = ({ next, children }: EmptyProps) => (
  <div class="empty">
    {typeof children === 'string' ? <p>{children}</p> : children}
    {next && (
      <div class="actions">
        <a class={`button ${next.kind ?? 'plain'}`} href={next.href}>
          {next.text}
        </a>
      </div>
    )}
  </div>
);

interface FactsProps {
  /** The values by their names. A value that is null, undefined or false is left out with its name. */
  of: Readonly<Record<string, ComponentChildren>>;
  /** Aligns amounts right, one below the other. */
  sums?: boolean;
}

export const Facts = ({ of, sums = false }: FactsProps) => (
  <dl class={sums ? 'facts sums' : 'facts'}>
    {Object.entries(of)
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
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

/** Paths on a 16 × 16 grid, drawn with the text's colour. */
const PATHS = {
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M6 6V3h7v7h-3M3 6h7v7H3z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  alert: 'M8 2l6.5 12h-13zM8 6.5v3.5M8 12v.1',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.5v4M8 5v.1',
} as const;

type IconName = keyof typeof PATHS;

/** Decoration: the text beside it has the same meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

const ICONS: Record<NoticeContent['kind'], IconName> = {
  accent: 'check',
  warn: 'alert',
  bad: 'alert',
  info: 'info',
};

export const Notice = ({ kind, children }: { kind: NoticeContent['kind']; children: ComponentChildren }) => (
  <div class={`notice ${kind}`}>
    <Icon name={ICONS[kind]} />
    <div>{children}</div>
  </div>
);
