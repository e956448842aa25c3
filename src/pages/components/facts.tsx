import type { ComponentChildren } from 'preact';

/** What is known of one thing. */
export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>;

export const Fact = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);
