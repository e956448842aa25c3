import type { ComponentChildren } from 'preact';

interface Props {
  /** What to do next. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** Where there is nothing (yet): why, and what to do about it. */
export const Empty = ({ action, children }: Props) => (
  <div class="empty">
    {children}
    {action && <div class="actions">{action}</div>}
  </div>
);
