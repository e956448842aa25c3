import type { ComponentChildren } from 'preact';

/** What a list is looked at by: tabs at the left, the search at the right. */
export const Toolbar = ({ children }: { children: ComponentChildren }) => (
  <div class="toolbar">{children}</div>
);
