import type { Person } from '../people/person.entity.js';
import { describeRole } from '../people/roles.js';
import type { LinkKind } from './person-link.entity.js';

export interface LinkToTell {
  person: Pick<Person, 'name' | 'email' | 'role'>;
  clientName: string;
  url: string;
  endsAt: Date;
}

type Words = (link: LinkToTell) => { subject: string; body: string };

/** The text of the mail for each kind of link. */
export const LINK_MAIL: Record<LinkKind, Words> = {
  invitation: (link) => ({
    subject: `You are invited to the dashboard of ${link.clientName}`,
    body: `Hello,

you are invited to the dashboard of ${link.clientName} as ${describeRole(link.person.role)}.
Choose a password here, and you are in:

${howToUse(link)}

If you do not know what this is about, do nothing.
`,
  }),
  reset: (link) => ({
    subject: 'A new password for the dashboard',
    body: `Hello ${link.person.name},

a new password was asked for, for ${link.person.email} at ${link.clientName}.
Choose one here:

${howToUse(link)}

If you did not ask for it, do nothing: your password stays as it is.
`,
  }),
};

/** A mail program may cut off the part after #, and a browser may run no scripts. */
function howToUse({ url, endsAt }: LinkToTell): string {
  return `${url}

If the page asks for a code, it is what stands behind the #.
The link is good once, until ${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

/**
 * The page that links lead to. The secret stands after `#`, which browsers send to no server. So no log and
 * no `Referer` contains it.
 */
export const LINK_PATH = '/dashboard/link';

/** The page to request a link for a new password. */
export const RESET_PATH = '/dashboard/reset';
