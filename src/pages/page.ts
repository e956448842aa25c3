import type { ComponentChildren } from 'preact';

/** What a handler gives back: what is to be read, and nothing of how it stands there. */
export interface Page {
  /** What is the matter: "3 orders wait for payment". */
  title: string;
  /** What to know about it. */
  lead?: ComponentChildren;
  /** Where it belongs, if not into the navigation: an order's page to the orders. */
  back?: { href: string; text: string };
  /** What can be done with the whole of it: a few buttons. */
  actions?: ComponentChildren;
  content?: ComponentChildren;
  /** 200 unless it says so. */
  status?: number;
  /** Origins besides our own that the page's forms go to: the gateway's. */
  formTargets?: string[];
  /** So often it looks by itself whether there is news, while something is under way. */
  refreshSeconds?: number;
}
