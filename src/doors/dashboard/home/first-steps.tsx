import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import type { FirstSteps } from '../../../orders/records/client-overview.repository.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { Card, Icon } from '../../../pages/components/layout.js';
import type { Link } from '../../../pages/page.js';
import { GUIDE } from '../../store-api/guide/guide-frame.js';
import { HELP, NEW_TOKEN, ORDERS, TOP_UP } from '../paths.js';

interface Step {
  isDone: boolean;
  text: string;
  /** Where to do it. Without one, the store does it. */
  next?: Link | false;
}

/** Ticks itself off. Nothing is shown when all is done. */
export const FirstStepsCard = ({ steps, person }: { steps: FirstSteps; person: ClientPerson }) => {
  const all = stepsFor(steps, person);
  const next = all.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <Card title="First steps" actions={<ButtonLink href={HELP}>Help</ButtonLink>}>
      <ol class="steps">
        {all.map((step) => (
          <li class={step.isDone ? 'done' : undefined} aria-current={step === next ? 'step' : undefined}>
            {step.isDone && <Icon name="check" />}
            <span>
              {step.text}
              {step.isDone && <span class="unseen"> (done)</span>}
            </span>
            {step === next && step.next && (
              <ButtonLink href={step.next.href} kind="primary">
                {step.next.text}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
};

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
