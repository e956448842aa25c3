import type { Step } from '../../../pages/components/steps.js';
import { DESK } from '../../account/account-paths.js';
import { GOODS, HOUSE, NEW_CLIENT, NEW_PLAN, SELLER } from '../paths.js';

/** How far a new house is. */
export interface HouseBegun {
  isTaxPossible: boolean;
  hasSeller: boolean;
  isReachable: boolean;
  hasPlan: boolean;
  hasProduct: boolean;
  hasColleague: boolean;
}

/** From the first admin to the first client. */
export function houseSteps(begun: HouseBegun): Step[] {
  return [
    ...(begun.isTaxPossible
      ? [
          {
            isDone: begun.hasSeller,
            text: 'Say who the seller on your invoices is. Without GST, start the service with TAX=none.',
            next: { href: SELLER, text: 'Set the seller' },
          },
        ]
      : []),
    {
      isDone: begun.isReachable,
      text: 'Say how clients reach you and pay by bank.',
      next: { href: HOUSE, text: 'Set it' },
    },
    { isDone: begun.hasPlan, text: 'Make a plan.', next: { href: NEW_PLAN, text: 'New plan' } },
    {
      isDone: begun.hasProduct,
      text: 'Add your products, one by one or from a file.',
      next: { href: GOODS, text: 'Add products' },
    },
    {
      isDone: begun.hasColleague,
      text: 'Invite the people who pack and who keep the books.',
      next: { href: `${DESK.people}/invite`, text: 'Invite a person' },
    },
    { isDone: false, text: 'Add your first client.', next: { href: NEW_CLIENT, text: 'New client' } },
  ];
}
