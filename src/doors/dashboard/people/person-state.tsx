import type { PersonListed } from '../../../auth/people/people-list.js';
import { StateLabel } from '../../../pages/components/values.js';

/** Whether somebody can sign in, and if not, what is in the way. */
export const PersonState = ({ person: { state, link } }: { person: PersonListed }) => {
  if (state === 'disabled') return <StateLabel kind="quiet">Disabled</StateLabel>;
  if (link?.mail === 'given-up') return <StateLabel kind="bad">Mail not delivered</StateLabel>;
  if (state === 'active') return <StateLabel kind="accent">Can sign in</StateLabel>;
  return link ? (
    <StateLabel kind="info">Invited</StateLabel>
  ) : (
    <StateLabel kind="warn">Invitation has ended</StateLabel>
  );
};
