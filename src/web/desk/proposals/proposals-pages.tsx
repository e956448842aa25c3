import { isBy } from '../../../modules/audit/actor-of.js';
import {
  type Proposal,
  PROPOSAL_STATES,
  type ProposalState,
} from '../../../modules/audit/proposal.entity.js';
import { Button, Field, Form, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { amounts, type Column, times, titles } from '../../../shared/ui/components/lists.js';
import { moneyIn, stateLabel, type States } from '../../../shared/ui/components/values.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { proposalPath, PROPOSALS } from '../paths.js';
import { authorWords, DoneBy } from '../words.js';

const STATES: States<ProposalState> = {
  waiting: { name: 'Waiting', kind: 'warn' },
  done: { name: 'Done', kind: 'accent' },
  refused: { name: 'Refused', kind: 'bad' },
  withdrawn: { name: 'Withdrawn', kind: 'quiet' },
};

export const PROPOSAL_LIST = new ListPage({
  path: PROPOSALS,
  caption: 'Proposals, newest first',
  filters: {
    state: {
      as: 'tabs',
      label: 'Proposals by state',
      options: [
        ...PROPOSAL_STATES.map((value) => ({ value, text: STATES[value].name })),
        { value: 'all', text: 'All' },
      ],
    },
  },
  mark: { name: 'before', kind: 'number', of: ({ id }: Proposal) => id },
  columns: (currency: string): Column<Proposal>[] => [
    titles('Proposal', ({ id, title, proposedBy }) => ({
      text: title,
      href: proposalPath(id),
      detail: authorWords(proposedBy),
    })),
    times('Proposed', ({ proposedAt }) => proposedAt),
    { heading: 'State', as: 'state', cell: ({ state }) => stateLabel(STATES[state]) },
    amounts('Amount', currency, ({ amount }) => minorFromNumeric(amount), 'amount'),
  ],
  empty: { none: 'No proposal waits.', noMatch: 'There are none.' },
});

/** While it waits, its proposer may withdraw it, and others with its role decide. */
export function proposalPage(
  { id, title, amount, role, path, fields, state, reason, ...by }: Proposal,
  me: DeskPerson,
  currency: string,
): Page {
  const [end, waits, isOwn] = [`${proposalPath(id)}/end`, state === 'waiting', isBy(by.proposedBy, me)];
  return {
    title: `${title}: ${STATES[state].name.toLowerCase()}`,
    back: { href: PROPOSALS, text: 'Proposals' },
    content: (
      <>
        <Card>
          <Facts
            of={{
              Amount: moneyIn(currency)(minorFromNumeric(amount)),
              Proposed: <DoneBy at={by.proposedAt} by={by.proposedBy} />,
              [STATES[state].name]: by.decidedAt && <DoneBy at={by.decidedAt} by={by.decidedBy} />,
              Reason: reason,
              Decides: waits && `another person with the role ${role}`,
            }}
          />
          {waits && isOwn && (
            <Form action={end} bare>
              <Button>Withdraw</Button>
            </Form>
          )}
          {waits && !isOwn && hasRole(me, role) && (
            <Form action={path} hidden={{ ...fields, proposal: String(id) }} bare>
              <Button kind="primary">See what it does</Button>
            </Form>
          )}
        </Card>
        {waits && !isOwn && hasRole(me, role) && (
          <FormCard title="Refuse it" action={end}>
            <Field label="Reason" name="reason" hint="The proposer reads it here." maxlength={200} required />
            <Button kind="danger">Refuse</Button>
          </FormCard>
        )}
      </>
    ),
  };
}
