import type { ComponentChildren } from 'preact';
import { Notice } from './notice.js';

/** Why what was just sent was not done. It is read out before anything else of the page. */
export const Refused = ({ children }: { children: ComponentChildren }) => (
  <div role="alert">
    <Notice kind="bad">{children}</Notice>
  </div>
);
