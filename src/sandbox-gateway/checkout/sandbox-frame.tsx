import { NarrowShell } from '../../pages/components/shell.js';
import type { Frame } from '../../pages/page.js';

/** Nobody shall take it for a bank. */
const TEST = { kind: 'warn', text: 'Test payments: no money moves.' } as const;

export const sandboxFrame: Frame = {
  name: 'Sandbox gateway',
  isPlain: true,
  home: { href: '/', text: 'Back to the service' },
  surround: (page) => <NarrowShell brand="Sandbox gateway" page={page} notice={TEST} />,
};
