import type { ComponentChildren } from 'preact';
import type { Client } from '../../../modules/clients/client.entity.js';
import { Card, Facts, Notice } from '../../../shared/ui/components/layout.js';
import { ExactTime } from '../../../shared/ui/components/values.js';
import type { Page } from '../../../shared/ui/page.js';
import type { Detail } from '../../../platform/settings/details.js';
import type { Firm } from '../../../platform/settings/firm.js';
import { API_ACCESS, GUIDE, HELP, ORDERS, REFERENCE, REQUESTS, WALLET } from '../paths.js';

/** The link in each text that advises to ask the wholesaler. */
export const Wholesaler = () => <a href={HELP}>the wholesaler</a>;

/** A notice on the pages that a client opens first when its store gets 401. */
export const SuspendedNotice = ({ client }: { client: Pick<Client, 'suspendedAt'> }) =>
  client.suspendedAt && (
    <Notice kind="bad">
      Your access has been suspended since <ExactTime at={client.suspendedAt} />: every call of your store is
      refused. Ask <Wholesaler />.
    </Notice>
  );

export function helpPage({ contact, firm }: { contact: readonly Detail[]; firm: Firm }): Page {
  const name = firm.name || 'the wholesaler';
  return {
    title: 'Help',
    lead: `How to reach ${name}, and where to find what you look for.`,
    content: (
      <div class="columns">
        <Card title={firm.name || 'The wholesaler'}>
          {contact.length > 0 ? (
            <Facts
              of={Object.fromEntries(contact.map(({ label, value }) => [label, <Contact text={value} />]))}
            />
          ) : (
            <p>Ask your contact at {name}. No address is given here.</p>
          )}
        </Card>
        <Card title="Where to find it">
          <ul>
            <li>
              An order, its parcel and its payment: <a href={ORDERS}>Orders</a>
            </li>
            <li>
              Your balance, top-ups and refunds: <a href={WALLET}>Wallet</a>
            </li>
            <li>
              Tokens and the first call of your store: <a href={API_ACCESS}>API access</a>
            </li>
            <li>
              Why a call of your store was refused: <a href={REQUESTS}>Requests</a>
            </li>
            <li>
              The API itself: <a href={GUIDE}>its guide</a> and <a href={REFERENCE}>its reference</a>
            </li>
            <li>
              The keys that move through lists: press <kbd>?</kbd> on any page
            </li>
          </ul>
        </Card>
      </div>
    ),
  };
}

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;
const PHONE = /^\+?[\d ()-]{6,20}$/;

/** An e-mail address or a phone number is a link. */
const Contact = ({ text }: { text: string }): ComponentChildren => {
  const scheme = EMAIL.test(text) ? 'mailto:' : PHONE.test(text) ? 'tel:' : undefined;
  return scheme === undefined ? text : <a href={`${scheme}${text.replaceAll(' ', '')}`}>{text}</a>;
};
