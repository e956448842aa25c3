import type { ComponentChildren } from 'preact';

/** What a colour says: well or to be done, mind it, bad, on its way, over. */
export type StateKind = 'accent' | 'warn' | 'bad' | 'info' | 'quiet';

/** A state as a word; the colour only helps to find it. */
export const StateLabel = ({ kind, children }: { kind: StateKind; children: ComponentChildren }) => (
  <span class={`state ${kind}`}>{children}</span>
);
