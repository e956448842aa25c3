import type { ComponentChildren } from 'preact';

/** Up to four figures that say how things stand. */
export const Tiles = ({ children }: { children: ComponentChildren }) => <dl class="tiles">{children}</dl>;

interface Props {
  label: string;
  /** What it means: "3 orders, first due in 6 hours". */
  note?: ComponentChildren;
  /** Where to see more. */
  href?: string;
  children: ComponentChildren;
}

export const Tile = ({ label, note, href, children }: Props) => (
  <div class="tile card">
    <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
    <dd class="figure">{children}</dd>
    {note !== undefined && <dd class="note">{note}</dd>}
  </div>
);
