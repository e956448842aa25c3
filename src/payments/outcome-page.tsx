import type { Payment } from '../orders/entities/payment.entity.js';
import { ButtonLink } from '../pages/components/controls.js';
import { Notice } from '../pages/components/layout.js';
import { NarrowShell } from '../pages/components/shell.js';
import { Money } from '../pages/components/values.js';
import { lookAgain } from '../pages/formats.js';
import type { Frame, Page } from '../pages/page.js';
import { minorFromNumeric } from '../platform/money/money.js';
import { isUnderway, type PaymentStatus } from './rules/payment-status.js';

const HOME = { href: '/dashboard', text: 'Back to the dashboard' };

/** The browser comes from another site, with or without a session. */
export const outcomeFrame: Frame = {
  name: 'Payment',
  home: HOME,
  surround: (page, _, notice) => <NarrowShell brand="Wholesale" page={page} notice={notice} />,
};

const WORDS: Record<PaymentStatus, { title: string; text: string }> = {
  opening: { title: 'The payment is being prepared', text: 'Nothing has been paid yet.' },
  open: {
    title: 'The payment is being processed',
    text: 'Please do not pay again. If you have paid, this page shows it as soon as your bank confirms.',
  },
  paid: {
    title: 'Thank you, it is paid',
    text: 'The money is in the wallet and has paid its orders that were still unpaid.',
  },
  given_up: {
    title: 'The payment was given up',
    text: 'If the money still arrives, it goes to the wallet.',
  },
  failed: { title: 'The payment could not be opened', text: 'Nothing was paid. Please try again.' },
};

/** The page after a return from the gateway, with or without a session. */
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

/** Shown wherever test payments are offered. */
export const TestPayments = () => <Notice kind="warn">Test payments: no money moves.</Notice>;
