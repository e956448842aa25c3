import {
  Button,
  ButtonLink,
  Choices,
  CopyField,
  EmailField,
  Form,
  FormCard,
} from '../../shared/ui/components/controls.js';
import { Card, Facts } from '../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn } from '../../shared/ui/components/lists.js';
import { NameWithDetail, StateLabel, RelativeTime } from '../../shared/ui/components/values.js';
import { type Page, withQuery } from '../../shared/ui/page.js';
import type { PersonWithLink } from '../../modules/people/people-administration.service.js';
import type { PersonListItem } from '../../modules/people/people-list.service.js';
import { roleName, whatRoleDoes } from '../../modules/people/roles.js';
import {
  isManager,
  type Role,
  rolesOf,
  type SignedInPerson,
} from '../../platform/access/signed-in-person.js';
import { type AccountPaths, DESK } from './account-paths.js';
import { NoticesForm, type NoticesFormProps } from './notices-form.js';

/** All roles of a client see the list. Only managers can change it. */
export function peoplePage(paths: AccountPaths, me: Viewer, people: PersonListItem[]): Page {
  const mayChange = isManager(me.role);
  return {
    title: peopleTitle(people),
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

function peopleTitle(people: PersonListItem[]): string {
  const [active, invited] = (['active', 'invited'] as const).map(
    (wanted) => people.filter(({ state }) => state === wanted).length,
  );
  const title = active === 1 ? 'One person can sign in' : `${active} people can sign in`;
  return invited === 0 ? title : `${title}, ${invited === 1 ? 'one is' : `${invited} are`} invited`;
}

function secondStepOf(on: boolean | null): string {
  if (on === null) return '–';
  return on ? 'On' : 'Off';
}

function columnsFor(paths: AccountPaths, me: Viewer, canChange: boolean): ListColumn<PersonListItem>[] {
  return [
    {
      heading: 'Name',
      as: 'title',
      cell: ({ person_id: id, name, email }) => (
        <NameWithDetail detail={name === email ? null : email}>
          {canChange ? <a href={paths.person(id)}>{name}</a> : name}
          {id === me.id && ' (you)'}
        </NameWithDetail>
      ),
    },
    { heading: 'Role', cell: ({ role }) => roleName(role) },
    timeColumn('Last seen', ({ last_seen_at: at }) => at),
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
      ? 'A mail with it is on its way. The first person to open it can use it.'
      : 'This service sends no mail. Pass the link on in private: the first person to open it can use it.',
    back: { href: paths.people, text: 'People' },
    content: (
      <Card>
        <CopyField label="Link" id="link" text={url!} />
        <p class="small">
          It ends <RelativeTime at={link!.ends_at} /> and is shown only once. You can make another one at any
          time.
        </p>
        <div class="actions">
          <ButtonLink href={paths.people}>I have passed it on</ButtonLink>
        </div>
      </Card>
    ),
  };
}

/** The person who reads the page. An employee sees the pages of a client as one of its owners. */
export type Viewer = Pick<SignedInPerson, 'id' | 'clientId' | 'clientName' | 'role'>;

/** One person, for managers. Actions on oneself that need a password are on the security page. */
export function personPage(
  paths: AccountPaths,
  me: Viewer,
  person: PersonListItem,
  notices: Pick<NoticesFormProps, 'choices' | 'areSent' | 'currency'>,
): Page {
  const { name, email, role, link } = person;
  const path = paths.person(person.person_id);
  const isEnabled = person.state !== 'disabled';
  return {
    title: name,
    lead: name === email ? undefined : email,
    back: { href: paths.people, text: 'People' },
    actions: me.clientId === null && (
      <ButtonLink href={withQuery(`${DESK.home}/audit`, { actor: email })}>What they did</ButtonLink>
    ),
    content: (
      <>
        <Card>
          <Facts
            of={{
              State: <PersonState person={person} />,
              'Last seen': <RelativeTime at={person.last_seen_at} />,
              'Second step': person.second_factor ? 'On' : 'Off',
              Added: <RelativeTime at={person.created_at} />,
              ...(link && {
                [link.kind === 'invitation' ? 'Invitation' : 'Link for a password']: (
                  <>
                    ends <RelativeTime at={link.ends_at} />
                  </>
                ),
                ...(link.mail === 'given-up' && {
                  'Its mail': `Not delivered${answerOf(link)}. Check the address, or send another link.`,
                }),
              }),
            }}
          />
        </Card>
        <div class="columns">
          {isEnabled && (
            <FormCard title="Role" action={`${path}/role`} hidden={{ shown: role }}>
              <RoleChoices roles={rolesOf(me.clientId)} value={role} />
              <Button>Change the role</Button>
            </FormCard>
          )}
          <Card title="Signing in">
            {person.person_id === me.id ? (
              <p>
                Your own password and second step are under <a href={paths.security}>Security</a>.
              </p>
            ) : (
              <>
                {(isEnabled || !person.has_joined) && <LinkForm person={person} path={path} />}
                {person.second_factor && <SecondStepForm name={name} path={path} />}
                {(isEnabled || person.has_joined) && <AccessForm person={person} path={path} />}
              </>
            )}
          </Card>
        </div>
        {isEnabled && (
          <NoticesForm
            title="Notices by e-mail"
            path={`${path}/notices`}
            person={{ clientId: me.clientId, role }}
            {...notices}
          />
        )}
      </>
    ),
  };
}

/** The rest of the fault may name the mail server, which clients must not see. */
function answerOf({ mail_fault }: { mail_fault: string | null }): string {
  const [, code] = / ([45]\d\d) at /.exec(mail_fault ?? '') ?? [];
  return code === undefined ? '' : `: the server answered ${code}`;
}

interface SigningInProps {
  person: PersonListItem;
  path: string;
}

const LinkForm = ({ person: { has_joined: hasJoined }, path }: SigningInProps) => (
  <Form action={`${path}/link`}>
    <p class="hint">
      {hasJoined
        ? 'Use this if they forgot their password. They still need their second step.'
        : 'A new invitation replaces the earlier one.'}
    </p>
    <Button>{hasJoined ? 'Make a link for a new password' : 'Invite again'}</Button>
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

const AccessForm = ({ person: { name, state, has_joined: hasJoined }, path }: SigningInProps) =>
  state === 'disabled' ? (
    <Form action={`${path}/enable`}>
      <p class="hint">They keep their role and their password.</p>
      <Button>Let {name} in again</Button>
    </Form>
  ) : (
    <Form
      action={`${path}/disable`}
      confirm={
        hasJoined ? `${name} will be signed out everywhere, at once.` : 'Their invitation stops working.'
      }
    >
      <p class="hint">Disable people who have left. The record of their actions stays.</p>
      <Button kind="danger">Disable {name}</Button>
    </Form>
  );

const PersonState = ({ person: { state, link } }: { person: PersonListItem }) => {
  if (state === 'disabled') return <StateLabel kind="quiet">Disabled</StateLabel>;
  if (link?.mail === 'given-up') return <StateLabel kind="bad">Mail not delivered</StateLabel>;
  if (state === 'active') return <StateLabel kind="accent">Can sign in</StateLabel>;
  return link ? (
    <StateLabel kind="info">Invited</StateLabel>
  ) : (
    <StateLabel kind="warn">Invitation has expired</StateLabel>
  );
};

/** The default is the role with the fewest rights. */
const RoleChoices = ({ roles, value = roles[0] }: { roles: readonly Role[]; value?: Role }) => (
  <Choices
    label="What they may do"
    name="role"
    options={roles.map((role) => ({ value: role, text: roleName(role), hint: whatRoleDoes(role) }))}
    value={value}
    required
  />
);
