import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import type { FirstSteps } from '../../../orders/records/client-overview.repository.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { type Step, StepsCard } from '../../../pages/components/steps.js';
import { GUIDE } from '../../store-api/guide/guide-frame.js';
import { HELP, NEW_TOKEN, ORDERS, TOP_UP } from '../paths.js';

export const FirstStepsCard = ({ steps, person }: { steps: FirstSteps; person: ClientPerson }) => (
  <StepsCard steps={stepsFor(steps, person)} actions={<ButtonLink href={HELP}>Help</ButtonLink>} />
);

function stepsFor(steps: FirstSteps, person: ClientPerson): Step[] {
  return [
    {
      isDone: steps.hasToken,
      text: 'Make a token for your store.',
      next: hasRole(person, 'owner') && { href: NEW_TOKEN, text: 'Make a token' },
    },
    {
      isDone: steps.hasCalled,
      text: 'Let your store call the API with it. Its first call shows up in a minute.',
      next: { href: GUIDE, text: 'Read the guide' },
    },
    {
      isDone: steps.hasMoney,
      text: 'Fill your wallet.',
      next: hasRole(person, 'buyer') && { href: TOP_UP, text: 'Top up' },
    },
    { isDone: steps.hasOrdered, text: 'Place the first order from your store.' },
    {
      isDone: steps.hasPaid,
      text: 'Pay the order, so that it ships.',
      next: hasRole(person, 'buyer') && { href: `${ORDERS}?group=to_pay`, text: 'See unpaid orders' },
    },
  ];
}
