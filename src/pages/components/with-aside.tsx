import type { ComponentChildren } from 'preact';

interface Props {
  /** What stands beside it where there is room, and else after it. */
  aside: ComponentChildren;
  children: ComponentChildren;
}

/** What a page is about, and what belongs to it. */
export const WithAside = ({ aside, children }: Props) => (
  <div class="with-aside">
    <div class="stack">{children}</div>
    <div class="stack">{aside}</div>
  </div>
);
