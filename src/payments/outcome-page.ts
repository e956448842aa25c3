import { minorFromNumeric } from '../platform/money/money.js';
import type { Payment } from './entities/payment.entity.js';
import type { PaymentStatus } from './rules/payment-status.js';

/** No script, nothing from elsewhere; the page styles itself. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

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

/** What whoever comes back from the gateway sees, with or without a session. All that is shown is ours, so nothing needs escaping. */
export function outcomePage({ status, amount, currency }: Payment, isTest: boolean): string {
  const { title, text } = WORDS[status];
  const money = new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(
    minorFromNumeric(amount) / 100,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${status === 'open' ? '<meta http-equiv="refresh" content="5">\n' : ''}<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="amount">${money}</p>
<p>${text}</p>
${isTest ? '<p class="test">Test payments: no money moves.</p>\n' : ''}</main>
</body>
</html>
`;
}

const STYLE = `
:root { --ink: #1c1b19; --soft: #5f5b54; --line: #e6e1d8; --paper: #fbfaf7; --card: #fff; --warn: #8a5300; --wash: #fdf1dc }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae5; --soft: #b3aea4; --line: #34322e; --paper: #171614; --card: #1f1e1b; --warn: #f0b85a; --wash: #3a2c12 }
}
body { margin: 0; padding: 24px 16px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 480px; margin: 8vh auto 0; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
h1 { margin: 0 0 12px; font-size: 22px; font-weight: 650; line-height: 1.25 }
p { margin: 0 0 12px; color: var(--soft) }
p:last-child { margin: 0 }
.amount { color: var(--ink); font-size: 22px; font-variant-numeric: tabular-nums }
.test { padding: 8px 12px; background: var(--wash); color: var(--warn); border-radius: 8px }`;
