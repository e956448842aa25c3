import { ButtonLink } from '../pages/components/button.js';
import { Money } from '../pages/components/values.js';
import { NarrowShell } from '../pages/components/shell.js';
import type { Frame, Page } from '../pages/page.js';
import { lookAgain } from '../pages/times.js';
import { minorFromNumeric } from '../platform/money/money.js';
import type { Payment } from '../orders/entities/payment.entity.js';
import { TestPayments } from './test-payments.js';
import { isUnderway, type PaymentStatus } from './rules/payment-status.js';

const HOME = { href: '/dashboard', text: 'Back to the dashboard' };

/** Whoever comes here comes from another site, and may be signed in or not. */
export const outcomeFrame: Frame = {
  name: 'Payment',
  home: HOME,
  surround: (page, _, notice) => <NarrowShell brand="Wholesale" page={page} notice={notice} />,
};

const WORDS: Record<PaymentStatus, { title: string; text: string }> = {
  opening: { title: 'The payment is being prepared', text: 'Nothing has been paid yet.' },
  open: {
    title: 'The payment is being processed',
    text: 'Please do not pay again: if you have paid, this page will say so as soon as your bank does.',
  },
  paid: {
    title: 'Thank you, it is paid',
    text: 'The money is in the wallet, and has paid the orders that it was meant for and that still waited.',
  },
  given_up: {
    title: 'The payment was given up',
    text: 'Should the money come all the same, it goes to the wallet.',
  },
  failed: { title: 'The payment could not be opened', text: 'Nothing was paid. Please try again.' },
};

/** What whoever comes back from the gateway sees, with or without a session. */
export function outcomePage({ status, amount, currency, createdAt }: Payment, isTest: boolean): Page {
  const { title, text } = WORDS[status];
  return {
    title,
    refreshSeconds: isUnderway(status) ? lookAgain(createdAt) : undefined,
    content: (
      <>
        <p class="figure">
          <Money minor={minorFromNumeric(amount)} currency={currency} />
        </p>
        <p>{text}</p>
        {isTest && <TestPayments />}
        <ButtonLink kind="primary" href={HOME.href}>
          {HOME.text}
        </ButtonLink>
      </>
    ),
  };
}
