import type { PersonWithLink } from '../../people/people-administration.service.js';
import type { PersonListed } from '../../people/people-list.service.js';
import { roleName, whatRoleDoes } from '../../people/roles.js';
import { isManager, rolesOf } from '../../platform/access/signed-in-person.js';
import { Button, ButtonLink, CopyField, EmailField, FormCard } from '../../pages/components/controls.js';
import { Card, Facts } from '../../pages/components/layout.js';
import { type Column, ListCard, times } from '../../pages/components/lists.js';
import { Named, When } from '../../pages/components/values.js';
import type { Page } from '../../pages/page.js';
import type { AccountPaths } from './account-paths.js';
import { PersonState, RoleChoices, type Viewer } from './person-page.js';

/** All roles of a client see the list. Only managers can change it. */
export function peoplePage(paths: AccountPaths, me: Viewer, people: PersonListed[]): Page {
  const mayChange = isManager(me.role);
  return {
    title: titleOf(people),
    lead:
      me.clientId === null
        ? 'The people who can work at this desk.'
        : `The people who can see the orders and the money of ${me.clientName}.`,
    actions: mayChange && (
      <ButtonLink href={paths.invite} kind="primary">
        Invite a person
      </ButtonLink>
    ),
    content: (
      <>
        <ListCard caption="People" columns={columnsFor(paths, me, mayChange)} rows={people} />
        <Card title="Roles">
          <Facts
            of={Object.fromEntries(
              rolesOf(me.clientId)
                .toReversed()
                .map((role) => [roleName(role), whatRoleDoes(role)]),
            )}
          />
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

function columnsFor(paths: AccountPaths, me: Viewer, canChange: boolean): Column<PersonListed>[] {
  return [
    {
      heading: 'Name',
      as: 'title',
      cell: ({ person_id: id, name, email }) => (
        <Named detail={name === email ? null : email}>
          {canChange ? <a href={paths.person(id)}>{name}</a> : name}
          {id === me.id && ' (you)'}
        </Named>
      ),
    },
    { heading: 'Role', cell: ({ role }) => roleName(role) },
    times('Last seen', ({ last_seen_at: at }) => at),
    { heading: 'Second step', cell: ({ second_factor: on }) => secondStepOf(on) },
    { heading: 'State', as: 'state', cell: (person) => <PersonState person={person} /> },
  ];
}

/** The default is the role with the fewest rights. */
export function invitePage(paths: AccountPaths, me: Viewer): Page {
  return {
    title: 'Invite a person',
    lead: 'They get a link to choose their own password. It works for 7 days.',
    back: { href: paths.people, text: 'People' },
    content: (
      <FormCard action={paths.invite}>
        <EmailField />
        <RoleChoices roles={rolesOf(me.clientId)} />
        <Button kind="primary">Invite</Button>
      </FormCard>
    ),
  };
}

/** Shown once when the service sends no mail: the manager passes the link on. */
export function linkMadePage(paths: AccountPaths, { email, link, url, mailed }: PersonWithLink): Page {
  return {
    title: link!.kind === 'invitation' ? `Send ${email} this invitation` : `Send ${email} this link`,
    lead: mailed
      ? 'It was sent by mail too. The first person to open it can use it.'
      : 'This service sends no mail. Pass the link on in private: the first person to open it can use it.',
    back: { href: paths.people, text: 'People' },
    content: (
      <Card>
        <CopyField label="Link" id="link" text={url!} />
        <p class="small">
          It ends <When at={link!.ends_at} /> and is shown only once. You can make another one at any time.
        </p>
        <div class="actions">
          <ButtonLink href={paths.people}>I have passed it on</ButtonLink>
        </div>
      </Card>
    ),
  };
}
