import type { Order } from '../../../examples/wholesale.mjs';
import type { components } from './api.js';

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

/** The client that stores download sends the fields of the document, and no others. */
type Sent = components['schemas']['CreateOrder'];
export const isSame: [
  Same<keyof Order, keyof Sent>,
  Same<keyof Order['customer'], keyof Sent['customer']>,
  Same<keyof Order['shipping'], keyof Sent['shipping']>,
  Same<keyof Order['items'][number], keyof Sent['items'][number]>,
] = [true, true, true, true];
