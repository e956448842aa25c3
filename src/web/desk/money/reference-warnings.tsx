import type { ComponentChildren } from 'preact';
import type { ReferenceUse } from '../../../modules/wallet/rules/payment-reference.js';
import type { ReferenceReview } from '../../../modules/wallet/wallet.service.js';
import { withQuery } from '../../../shared/ui/page.js';
import { clientPaths, MONEY, orderPath, paymentPath } from '../paths.js';

/** The ids of the uses that the person saw, for a hidden field. */
export const acceptedIn = ({ uses }: ReferenceReview) => uses.map(({ id }) => id).join(' ');

/** Each other use of the reference, with a link to it. */
export const referenceWarnings = ({ uses }: ReferenceReview): ComponentChildren[] =>
  uses.map(({ warning, ...use }) => (
    <>
      {warning} <a href={placeOf(use)}>See it</a>
    </>
  ));

function placeOf({ clientId, orderNumber, paymentId, key }: ReferenceUse): string {
  if (orderNumber !== null) return orderPath(orderNumber);
  if (paymentId !== null) return paymentPath(paymentId);
  const [source, ...utr] = key.split(':');
  return source === 'bank'
    ? withQuery(MONEY, { status: 'all', utr: utr.join(':') })
    : clientPaths(clientId).wallet;
}
