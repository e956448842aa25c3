import type { PersonWithLink } from '../../../auth/people/people-administration.js';
import type { PersonListed } from '../../../auth/people/people-list.js';
import { CLIENT_ROLES, roleName, whatRoleDoes } from '../../../auth/people/roles.js';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { CopyField } from '../../../pages/components/copy.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { When } from '../../../pages/components/values.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { INVITE, PEOPLE, personPath } from '../paths.js';
import { PersonState, RoleChoices } from './person-page.js';

/** All roles see the list. Only owners can change it. */
export function peoplePage(me: ClientPerson, people: PersonListed[]): Page {
  const isOwner = me.role === 'owner';
  return {
    title: titleOf(people),
    lead: `The people who can see the orders and the money of ${me.clientName}.`,
    actions: isOwner && (
      <ButtonLink href={INVITE} kind="primary">
        Invite a person
      </ButtonLink>
    ),
    content: (
      <>
        <Card flush>
          <Table caption="People" columns={columnsFor(me, isOwner)} rows={people} />
        </Card>
        <Card title="Roles">
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

export interface InviteForm {
  email: string;
  role: string;
}

/** The default is the role with the fewest rights. */
const NOTHING_TYPED: InviteForm = { email: '', role: 'viewer' };

export function invitePage(typed = NOTHING_TYPED, faults?: Faults): Page {
  return {
    title: 'Invite a person',
    lead: 'They get a link to choose their own password. It works for 7 days.',
    back: { href: PEOPLE, text: 'People' },
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={INVITE}>
          <Field
            label="E-mail address"
            name="email"
            type="email"
            value={typed.email}
            autocomplete="off"
            maxlength={254}
            fault={faults?.email}
            required
          />
          <RoleChoices value={typed.role} fault={faults?.role} />
          <div class="actions">
            <Button kind="primary">Invite</Button>
          </div>
        </Form>
      </Card>
    ),
  };
}

/** Shown once when the service sends no mail: the owner passes the link on. */
export function linkMadePage({ email, link, url }: PersonWithLink): Page {
  return {
    title: link!.kind === 'invitation' ? `Send ${email} this invitation` : `Send ${email} this link`,
    lead: 'This service sends no mail. Pass the link on in private: the first person who opens it can use it.',
    back: { href: PEOPLE, text: 'People' },
    content: (
      <Card>
        <CopyField label="Link" id="link" value={url!} />
        <p class="small">
          It ends <When at={link!.ends_at} /> and is shown only once. You can make another one at any time.
        </p>
        <div class="actions">
          <ButtonLink href={PEOPLE}>I have passed it on</ButtonLink>
        </div>
      </Card>
    ),
  };
}
