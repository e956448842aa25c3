import type { ComponentChildren } from 'preact';
import { ExactTime } from './when.js';

export interface TimelineEntry {
  at: Date;
  title: ComponentChildren;
  note?: ComponentChildren;
}

/** What happened, one after the other. */
export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map(({ at, title, note }) => (
      <li>
        <strong>{title}</strong>
        <ExactTime at={at} />
        {note !== undefined && <p>{note}</p>}
      </li>
    ))}
  </ol>
);
