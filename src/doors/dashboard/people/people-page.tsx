import { roleName, whatRoleDoes, CLIENT_ROLES } from '../../../auth/people/roles.js';
import type { PersonListed } from '../../../auth/people/people-list.js';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { When } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { INVITE, personPath } from './paths.js';
import { PersonState } from './person-state.js';

/** Everybody sees who else is in; what can be done about it only owners do. */
export function peoplePage(me: ClientPerson, people: PersonListed[]): Page {
  const isOwner = me.role === 'owner';
  return {
    title: titleOf(people),
    lead: `Who sees the orders and the money of ${me.clientName}, and who pays.`,
    actions: isOwner && (
      <ButtonLink href={INVITE} kind="primary">
        Invite somebody
      </ButtonLink>
    ),
    content: (
      <>
        <Card flush>
          <Table caption="People" columns={columnsFor(me, isOwner)} rows={people} />
        </Card>
        <Card title="What each of them does">
          <Facts>
            {CLIENT_ROLES.toReversed().map((role) => (
              <Fact term={roleName(role)}>{whatRoleDoes(role)}</Fact>
            ))}
          </Facts>
        </Card>
      </>
    ),
  };
}

function titleOf(people: PersonListed[]): string {
  const [active, invited] = (['active', 'invited'] as const).map(
    (asked) => people.filter(({ state }) => state === asked).length,
  );
  const title = active === 1 ? 'One person can sign in' : `${active} people can sign in`;
  return invited === 0 ? title : `${title}, ${invited === 1 ? 'one is' : `${invited} are`} invited`;
}

function secondStepOf(on: boolean | null): string {
  if (on === null) return '–';
  return on ? 'On' : 'Off';
}

function columnsFor(me: ClientPerson, canChange: boolean): Column<PersonListed>[] {
  return [
    {
      heading: 'Name',
      as: 'title',
      cell: ({ person_id: id, name, email }) => (
        <>
          {canChange ? <a href={personPath(id)}>{name}</a> : name}
          {id === me.id && ' (you)'}
          {name !== email && <small>{email}</small>}
        </>
      ),
    },
    { heading: 'Role', cell: ({ role }) => roleName(role) },
    { heading: 'Last seen', cell: ({ last_seen_at: at }) => (at ? <When at={at} /> : 'never') },
    { heading: 'Second step', cell: ({ second_factor: on }) => secondStepOf(on) },
    { heading: 'State', as: 'state', cell: (person) => <PersonState person={person} /> },
  ];
}
