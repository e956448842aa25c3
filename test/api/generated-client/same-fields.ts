import type { Order, OrderDetails, OrderedItem, Refund, TaxDocument } from '../../../examples/wholesale.mjs';
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

type None<Names extends never> = Names;

type Answers = components['schemas'];

/** Its types name only fields of the document, and all fields that a store books. */
export type Booked = [
  None<Exclude<keyof OrderDetails, keyof Answers['OrderDetails']>>,
  None<Exclude<keyof OrderedItem, keyof Answers['OrderedItem']>>,
  Same<keyof Refund, keyof Answers['Refund']>,
  Same<keyof TaxDocument, keyof Answers['TaxDocument']>,
];
export const areBooked: Booked extends [never, never, true, true] ? true : never = true;
