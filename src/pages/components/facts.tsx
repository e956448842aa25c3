import type { ComponentChildren } from 'preact';

interface Props {
  /** Amounts that belong together stand at the right, below one another. */
  sums?: boolean;
  children: ComponentChildren;
}

/** What is known of one thing. */
export const Facts = ({ sums = false, children }: Props) => (
  <dl class={sums ? 'facts sums' : 'facts'}>{children}</dl>
);

export const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);
