import { Option } from 'commander';
import type { OtherActor } from '../../audit/audit-log.js';
import type { PersonWithLink } from '../../people/people-administration.service.js';
import type { PersonListed } from '../../people/people-list.service.js';
import { CLIENT_ROLES, DESK_ROLES } from '../../platform/access/signed-in-person.js';
import { type Answer, firstOf, listAnswer, table } from './answer.js';
import { type By, type CliCommand, limitOf, type ListOptions } from './command.js';
import type { Services } from './services.js';

const ROLE = ['--role <role>', 'the rights of the person'] as const;

type PersonWork<Options> = (
  services: Services,
  as: OtherActor,
  personId: number,
  options: Options & By,
) => Promise<Answer>;

export function addPersonCommands(program: CliCommand): void {
  const person = program.group('person', 'people: who signs in');
  const onPerson = (name: string, description: string) => person.add(name, description).forPerson().by();

  person
    .add('list', 'Lists the people of a client, or of all.')
    .listed()
    .forClient('[client]')
    .does(async ({ people, clientFinder }, client: string | undefined, options: ListOptions) => {
      const listed =
        client === undefined ? await people.ofAllClients() : await people.of(await clientFinder.find(client));
      return listAnswer(firstOf(listed, limitOf(options)), 'No people.', inOneRow);
    });

  person
    .add('invite', 'Invites a person to sign in for a client, with a link. The link is shown only now.')
    .forClient()
    .requiredOption('--email <address>', 'the address of the invitation and of later sign-ins')
    .addOption(new Option(...ROLE).choices(CLIENT_ROLES).makeOptionMandatory())
    .option('--name <name>', 'a name, which the person may change')
    .by()
    .doesForClient(
      async (
        { peopleAdministration },
        clientId,
        { by, ...given }: { email: string; role: string; name?: string } & By,
      ) => withLink(await peopleAdministration.invite({ clientId, actor: by }, given)),
    );

  const desk = program.group('desk', 'people of the wholesaler: who works at /desk');

  desk
    .add('list', 'Lists the people of the wholesaler.')
    .listed()
    .does(async ({ people }, options: ListOptions) =>
      listAnswer(firstOf(await people.of(null), limitOf(options)), 'No people.', inOneRow),
    );

  desk
    .add('invite', 'Invites a person to work at the desk, with a link. The link is shown only now.')
    .requiredOption('--email <address>', 'the address of the invitation and of later sign-ins')
    .addOption(new Option(...ROLE).choices(DESK_ROLES).makeOptionMandatory())
    .option('--name <name>', 'a name, which the person may change')
    .by()
    .does(
      async (
        { peopleAdministration },
        { by, ...given }: { email: string; role: string; name?: string } & By,
      ) => withLink(await peopleAdministration.invite({ clientId: null, actor: by }, given)),
    );

  onPerson('set', 'Changes the role or the name of a person.')
    .choice(...ROLE, [...CLIENT_ROLES, ...DESK_ROLES])
    .option('--name <name>', 'the name')
    .does(
      on<{ role?: string; name?: string }>(
        async ({ people, peopleAdministration }, as, id, { role, name }) => {
          if (role !== undefined) await peopleAdministration.setRole(as, id, role);
          if (name !== undefined) await peopleAdministration.rename(as, id, name);
          return answerWith(await people.one(as.clientId, id));
        },
      ),
    );

  onPerson('disable', 'Ends all sessions of a person, and refuses new sign-ins.')
    .option('--force', 'even if no owner or admin is left')
    .does(
      on<{ force?: boolean }>(async ({ peopleAdministration }, as, id, { force }) =>
        answerWith(await peopleAdministration.disable(as, id, { force })),
      ),
    );

  onPerson('enable', 'Lets a disabled person sign in again, with the same password.').does(
    on(async ({ peopleAdministration }, as, id) => answerWith(await peopleAdministration.enable(as, id))),
  );

  onPerson(
    'link',
    'Makes a new invitation, or a link to set a new password. The link is shown only now.',
  ).does(
    on(async ({ peopleAdministration }, as, id) => withLink(await peopleAdministration.makeLink(as, id))),
  );

  onPerson(
    'reset-second-factor',
    'Turns off the second factor of a person who lost it, and ends their sessions. Check who asks first.',
  ).does(
    on(async ({ peopleAdministration }, as, id) =>
      answerWith(await peopleAdministration.removeSecondFactor(as, id)),
    ),
  );
}

/** A link is printed only once. */
export function describeLink(url: string, mailed: boolean): string {
  const way = mailed ? 'It was sent by mail too.' : 'It was not sent by mail: pass it on secretly.';
  return `Link:   ${url}\nIt works for the first person who opens it, and is not shown again. ${way}\n`;
}

function on<Options = object>(work: PersonWork<Options>) {
  return async (services: Services, called: string, options: Options & By) => {
    const { personId, clientId } = await services.people.find(called);
    return work(services, { clientId, actor: options.by }, personId, options);
  };
}

function answerWith(person: PersonListed): Answer {
  return { json: person, text: (zone) => table([inOneRow(person)], undefined, zone) };
}

function withLink(person: PersonWithLink): Answer {
  return {
    json: person,
    text: (zone) =>
      `${table([inOneRow(person)], undefined, zone)}\n${describeLink(person.url!, person.mailed)}`,
  };
}

function inOneRow({ link, created_at, ...person }: PersonListed) {
  return { ...person, link_until: link?.ends_at ?? null, mail: link?.mail ?? null };
}
