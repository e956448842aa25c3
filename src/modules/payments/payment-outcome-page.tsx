import { ButtonLink } from '../../shared/ui/components/controls.js';
import { Notice } from '../../shared/ui/components/layout.js';
import { NarrowShell } from '../../shared/ui/components/shell.js';
import { Money } from '../../shared/ui/components/values.js';
import { firmOf } from '../../shared/ui/firm-of.js';
import { refreshSecondsAfter } from '../../platform/formats.js';
import type { Frame, Page } from '../../shared/ui/page.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import type { PaymentOutcome } from './gateway-messages.service.js';
import { isUnderway } from './rules/payment-status.js';

const HOME = { href: '/dashboard', text: 'Back to the dashboard' };
const ORDERS = { href: '/dashboard/orders', text: 'Back to your orders' };
const WALLET = { href: '/dashboard/wallet', text: 'Back to your wallet' };

/** The browser comes from another site, with or without a session. */
export const paymentOutcomeFrame: Frame = {
  name: 'Payment',
  home: HOME,
  renderBody: (page, request, notice) => {
    const firm = firmOf(request);
    const brand = firm.name === '' ? 'Wholesale' : 'Payment';
    return <NarrowShell firm={firm} brand={brand} page={page} notice={notice} />;
  },
};

/** The page after a return from the gateway, with or without a session. */
export function paymentOutcomePage(outcome: PaymentOutcome, browserResult?: BrowserResult): Page {
  const { payment, isTest, isTopUp } = outcome;
  const back = isTopUp ? WALLET : ORDERS;
  const { status, authorized, amount, currency, createdAt, paymentId } = payment;
  const [title, text] = describeOutcome(outcome, browserResult);
  const here = `/dashboard/payments/${paymentId}`;
  const canRetry =
    status === 'open' && !authorized && (browserResult !== undefined || payment.failure !== null);
  return {
    title,
    refreshSeconds: isUnderway(status) ? refreshSecondsAfter(createdAt) : undefined,
    content: (
      <>
        <p class="figure">
          <Money minor={minorFromNumeric(amount)} currency={currency} />
        </p>
        <p>{text}</p>
        {isTest && <TestPayments />}
        <div class="actions">
          {status === 'open' && (
            <ButtonLink href={here}>{canRetry ? 'Give up' : 'See the payment'}</ButtonLink>
          )}
          {canRetry ? (
            <ButtonLink kind="primary" href={`${here}/checkout`}>
              Try again
            </ButtonLink>
          ) : (
            <ButtonLink kind="primary" href={back.href}>
              {back.text}
            </ButtonLink>
          )}
        </div>
      </>
    ),
  };
}

/** The result that the returning browser reports. */
type BrowserResult = 'cancelled' | 'failed';

function describeOutcome(
  { payment, isTopUp }: PaymentOutcome,
  browserResult?: BrowserResult,
): [title: string, text: string] {
  switch (payment.status) {
    case 'opening':
      return ['The payment is being prepared', 'Nothing has been paid yet.'];
    case 'open':
      if (payment.authorized)
        return ['The payment is on its way', 'Your bank has authorized it. Do not pay again.'];
      if (payment.failure !== null)
        return ['The payment failed', `${sentence(payment.failure)} ${NOT_CHARGED}`];
      if (browserResult === 'failed') return ['The payment failed', NOT_CHARGED];
      return browserResult === 'cancelled'
        ? ['You left without paying', NOT_CHARGED]
        : [
            'The payment is being processed',
            'If you have paid, do not pay again. This page changes when your bank confirms the payment.',
          ];
    case 'paid':
      return isTopUp
        ? ['Your wallet is topped up', 'The money is in your wallet.']
        : [
            'Thank you, your payment is complete',
            'It paid your orders. Money that an order did not need is in your wallet.',
          ];
    case 'given_up':
      return ['The payment was given up', 'If the money still arrives, it goes to the wallet.'];
    case 'failed':
      return ['The payment could not be opened', 'Nothing was paid. Please try again.'];
  }
}

const NOT_CHARGED = 'Nothing was charged.';

/** The gateway ends some reasons with a full stop. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Shown wherever test payments are offered. */
export const TestPayments = () => <Notice kind="warn">Test payments: no money moves.</Notice>;
