import type { PersonWithLink } from '../modules/people/people-administration.service.js';
import type { PersonListItem } from '../modules/people/people-list.service.js';
import { CLIENT_ROLES, DESK_ROLES } from '../platform/access/signed-in-person.js';
import { type CommandAnswer, table } from './answer.js';
import { type CliCommand, Deferred, PERSON } from './command.js';

const ROLE = ['--role <role>', 'the rights of the person'] as const;

/** The person, and the administrator who changes them. */
const readChanged = (text: string) =>
  new Deferred(async ({ people }, { by }) => {
    const { personId: id, clientId } = await people.find(text);
    return { id, as: { clientId, actor: by as string } };
  });

export function addPersonCommands(program: CliCommand): void {
  const person = program.group('person', 'people: who signs in');
  const onPerson = (name: string, description: string) =>
    person.add(name, description).argument('<person>', PERSON, readChanged).by();

  person
    .add('list', 'Lists the people of a client, or of all.')
    .withLimit()
    .forClient('[client]')
    .lists(
      'No people.',
      ({ people }, clientId) => (clientId === undefined ? people.ofAllClients() : people.of(clientId)),
      inOneRow,
    );

  person
    .add('invite', 'Invites a person to sign in for a client, with a link. The link is shown only once.')
    .forClient()
    .requiredOption('--email <address>', 'the address of the invitation and of later sign-ins')
    .requiredChoice(...ROLE, CLIENT_ROLES)
    .option('--name <name>', 'a name, which the person may change')
    .by()
    .does(async ({ peopleAdministration: people }, clientId, { by: actor, ...input }) =>
      withLink(await people.invite({ clientId, actor }, input)),
    );

  const desk = program.group('desk', 'people of the wholesaler: who works at /desk');

  desk
    .add('list', 'Lists the people of the wholesaler.')
    .withLimit()
    .lists('No people.', ({ people }) => people.of(null), inOneRow);

  desk
    .add('invite', 'Invites a person to work at the desk, with a link. The link is shown only once.')
    .requiredOption('--email <address>', 'the address of the invitation and of later sign-ins')
    .requiredChoice(...ROLE, DESK_ROLES)
    .option('--name <name>', 'a name, which the person may change')
    .by()
    .does(async ({ peopleAdministration: people }, { by: actor, ...input }) =>
      withLink(await people.invite({ clientId: null, actor }, input)),
    );

  onPerson('set', 'Changes the role or the name of a person.')
    .choice(...ROLE, [...CLIENT_ROLES, ...DESK_ROLES])
    .option('--name <name>', 'the name')
    .does(async ({ peopleAdministration: people }, { id, as }, change) =>
      answerWith(await people.set(as, id, change)),
    );

  onPerson('disable', 'Ends all sessions of a person, and refuses new sign-ins.')
    .option('--force', 'even if no owner or admin is left')
    .does(async ({ peopleAdministration: people }, { id, as }, { force }) =>
      answerWith(await people.disable(as, id, { force })),
    );

  onPerson('enable', 'Lets a disabled person sign in again, with the same password.').does(
    async ({ peopleAdministration: people }, { id, as }) => answerWith(await people.enable(as, id)),
  );

  onPerson(
    'link',
    'Creates a new invitation, or a link to set a new password. The link is shown only once.',
  ).does(async ({ peopleAdministration: people }, { id, as }) => withLink(await people.makeLink(as, id)));

  onPerson(
    'reset-second-factor',
    'Turns off the second factor of a person who lost it, and ends their sessions. Check who asks first.',
  ).does(async ({ peopleAdministration: people }, { id, as }) =>
    answerWith(await people.removeSecondFactor(as, id)),
  );
}

/** A link is printed only once. */
export function describeLink(url: string, mailed: boolean): string {
  const way = mailed ? 'It was sent by mail too.' : 'It was not sent by mail: pass it on in confidence.';
  return `Link:   ${url}\nIt works for the first person who opens it, and is not shown again. ${way}\n`;
}

function answerWith(person: PersonListItem): CommandAnswer {
  return { json: person, text: (zone) => table([inOneRow(person)], undefined, zone) };
}

function withLink(person: PersonWithLink): CommandAnswer {
  return {
    json: person,
    text: (zone) =>
      `${table([inOneRow(person)], undefined, zone)}\n${describeLink(person.url!, person.mailed)}`,
  };
}

function inOneRow({ link, created_at, has_joined, ...person }: PersonListItem) {
  return { ...person, link_until: link?.ends_at ?? null, mail: link?.mail ?? null };
}
