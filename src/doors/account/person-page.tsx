import type { PersonListed } from '../../people/people-list.service.js';
import { roleName, whatRoleDoes } from '../../people/roles.js';
import { type Role, rolesOf, type SignedInPerson } from '../../platform/access/signed-in-person.js';
import { Button, Choices, Form, FormCard } from '../../pages/components/controls.js';
import { Card, Facts } from '../../pages/components/layout.js';
import { StateLabel, When } from '../../pages/components/values.js';
import type { Page } from '../../pages/page.js';
import type { AccountPaths } from './account-paths.js';

/** The person who reads the page. An employee reads the pages of a client as one of its owners. */
export type Viewer = Pick<SignedInPerson, 'id' | 'clientId' | 'clientName' | 'role'>;

/** One person, for managers. Actions on oneself that need a password are on the security page. */
export function personPage(paths: AccountPaths, me: Viewer, person: PersonListed): Page {
  const { name, email, role } = person;
  const path = paths.person(person.person_id);
  return {
    title: name,
    lead: name === email ? undefined : email,
    back: { href: paths.people, text: 'People' },
    content: (
      <>
        <Card>
          <PersonFacts person={person} />
        </Card>
        <div class="columns">
          <FormCard title="Role" action={`${path}/role`} hidden={{ shown: role }}>
            <RoleChoices roles={rolesOf(me.clientId)} value={role} />
            <Button>Change the role</Button>
          </FormCard>
          <Card title="Signing in">
            {person.person_id === me.id ? (
              <OwnSecurity paths={paths} />
            ) : (
              <SigningInForms person={person} path={path} />
            )}
          </Card>
        </div>
      </>
    ),
  };
}

const PersonFacts = ({ person }: { person: PersonListed }) => (
  <Facts
    of={{
      State: <PersonState person={person} />,
      'Last seen': <When at={person.last_seen_at} />,
      'Second step': person.second_factor ? 'On' : 'Off',
      Added: <When at={person.created_at} />,
      ...(person.link && {
        [person.link.kind === 'invitation' ? 'Invitation' : 'Link for a password']: (
          <>
            ends <When at={person.link.ends_at} />
          </>
        ),
      }),
    }}
  />
);

interface Props {
  person: PersonListed;
  path: string;
}

const OwnSecurity = ({ paths }: { paths: AccountPaths }) => (
  <p>
    Your own password and second step are under <a href={paths.security}>Security</a>.
  </p>
);

const SigningInForms = ({ person, path }: Props) => (
  <>
    {person.state !== 'disabled' && <LinkForm person={person} path={path} />}
    {person.second_factor && <SecondStepForm name={person.name} path={path} />}
    <AccessForm person={person} path={path} />
  </>
);

const LinkForm = ({ person: { state }, path }: Props) => (
  <Form action={`${path}/link`}>
    <p class="hint">
      {state === 'invited'
        ? 'A new invitation replaces the earlier one.'
        : 'Use this if they forgot their password. They still need their second step.'}
    </p>
    <Button>{state === 'invited' ? 'Invite again' : 'Make a link for a new password'}</Button>
  </Form>
);

const SecondStepForm = ({ name, path }: { name: string; path: string }) => (
  <Form
    action={`${path}/second-step/remove`}
    confirm={`After this, ${name} signs in with the password alone. Are you sure that they asked for this?`}
  >
    <p class="hint">Use this if they lost their phone and their recovery codes.</p>
    <Button kind="danger">Remove the second step</Button>
  </Form>
);

const AccessForm = ({ person: { name, state }, path }: Props) =>
  state === 'disabled' ? (
    <Form action={`${path}/enable`}>
      <p class="hint">They keep their password and their role.</p>
      <Button>Let {name} in again</Button>
    </Form>
  ) : (
    <Form action={`${path}/disable`} confirm={`${name} will be signed out everywhere, at once.`}>
      <p class="hint">Disable people who have left. The record of their actions stays.</p>
      <Button kind="danger">Disable {name}</Button>
    </Form>
  );

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

/** The default is the role with the fewest rights. */
export const RoleChoices = ({ roles, value = roles[0] }: { roles: readonly Role[]; value?: Role }) => (
  <Choices
    label="What they may do"
    name="role"
    options={roles.map((role) => ({ value: role, text: roleName(role), hint: whatRoleDoes(role) }))}
    value={value}
    required
  />
);
