import { Controller, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readNumberCursor } from '../../../platform/http/page-cursor.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { PeopleAdministrationService } from '../people-administration.service.js';
import { PeopleListService } from '../people-list.service.js';
import {
  DisablePersonRequest,
  InvitePersonRequest,
  PeopleQuery,
  PersonResponse,
  PersonWithLinkResponse,
  SetPersonRequest,
} from './admin-person.dto.js';

const PERSON = {
  name: 'id',
  description: 'The person: number, or e-mail address, percent-encoded.',
  example: '7',
};

interface FoundPerson {
  personId: number;
  clientId: number | null;
}

@Injectable()
class PersonPipe implements PipeTransform<string, Promise<FoundPerson>> {
  constructor(private readonly people: PeopleListService) {}

  transform(text: string): Promise<FoundPerson> {
    return this.people.find(text);
  }
}

const PersonParam = () => Param(PERSON.name, PersonPipe);

interface OnPersonOptions {
  operationId: string;
  summary: string;
  withLink?: true;
  body?: new () => object;
}

/** An action on a person. */
const OnPerson = (name: string, { operationId, summary, withLink, body }: OnPersonOptions) =>
  AdminRoute({
    method: 'POST',
    path: `:id/${name}`,
    role: roleWith('manage people'),
    operationId,
    summary,
    parameters: [PERSON],
    ...(body && { body: { type: body } }),
    answer: {
      data: withLink ? PersonWithLinkResponse : PersonResponse,
      description: 'The person after it.',
    },
    errors: ['person_not_found', 'conflict'],
    command: `person ${name}`,
  });

/** People of clients and of the desk. A key manages them as an admin does. */
@ApiTags('People')
@Controller('api/admin/people')
export class AdminPeopleController {
  constructor(
    private readonly people: PeopleListService,
    private readonly administration: PeopleAdministrationService,
    private readonly clients: ClientFinderService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('manage people'),
    operationId: 'listPeople',
    summary: 'Lists the people of a client or, without one, of the desk.',
    answer: { list: PersonResponse, description: 'In the order of their numbers.' },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'person list',
    commandArguments: ['client'],
  })
  async list(@ValidQuery() { client, after, limit = DEFAULT_LIMIT }: PeopleQuery) {
    const first = readNumberCursor(after) ?? 0;
    const clientId = (await this.clients.findForFilter(client)) ?? null;
    // An account has at most 100 people.
    const people = (await this.people.of(clientId)).filter(({ person_id: id }) => id > first);
    return pageOf(
      people,
      limit,
      (person) => person,
      ({ person_id: id }) => String(id),
    );
  }

  @AdminRoute({
    method: 'POST',
    role: roleWith('manage people'),
    operationId: 'invitePerson',
    summary: 'Invites a person to sign in for a client or at the desk. The link is shown only once.',
    body: { type: InvitePersonRequest },
    answer: { data: PersonWithLinkResponse, status: 201, description: 'Keep the link now.' },
    errors: ['client_not_found', 'client_ambiguous', 'conflict'],
    command: 'person invite',
    commandArguments: ['client'],
  })
  async invite(@Actor() actor: string, @CheckedBody() { client, ...person }: InvitePersonRequest) {
    const clientId = (await this.clients.findForFilter(client)) ?? null;
    return answerWith(await this.administration.invite({ clientId, actor }, person));
  }

  @AdminRoute({
    method: 'PATCH',
    path: ':id',
    role: roleWith('manage people'),
    operationId: 'setPerson',
    summary: 'Changes the role or the name of a person.',
    parameters: [PERSON],
    body: { type: SetPersonRequest },
    answer: { data: PersonResponse, description: 'The person after it.' },
    errors: ['person_not_found', 'conflict'],
    command: 'person set',
  })
  async set(
    @PersonParam() { personId, clientId }: FoundPerson,
    @Actor() actor: string,
    @CheckedBody() change: SetPersonRequest,
  ) {
    return answerWith(await this.administration.set({ clientId, actor }, personId, change));
  }

  @OnPerson('disable', {
    operationId: 'disablePerson',
    summary: 'Ends all sessions of a person, and refuses new sign-ins.',
    body: DisablePersonRequest,
  })
  async disable(
    @PersonParam() { personId, clientId }: FoundPerson,
    @Actor() actor: string,
    @CheckedBody() { force }: DisablePersonRequest,
  ) {
    return answerWith(await this.administration.disable({ clientId, actor }, personId, { force }));
  }

  @OnPerson('enable', {
    operationId: 'enablePerson',
    summary: 'Lets a disabled person sign in again, with the same password.',
  })
  async enable(@PersonParam() { personId, clientId }: FoundPerson, @Actor() actor: string) {
    return answerWith(await this.administration.enable({ clientId, actor }, personId));
  }

  @OnPerson('link', {
    operationId: 'makePersonLink',
    summary: 'Creates a new invitation, or a link to set a new password. The link is shown only once.',
    withLink: true,
  })
  async link(@PersonParam() { personId, clientId }: FoundPerson, @Actor() actor: string) {
    return answerWith(await this.administration.makeLink({ clientId, actor }, personId));
  }

  @OnPerson('reset-second-factor', {
    operationId: 'resetSecondFactor',
    summary:
      'Turns off the second factor of a person who lost it, and ends their sessions. Check who asks first.',
  })
  async resetSecondFactor(@PersonParam() { personId, clientId }: FoundPerson, @Actor() actor: string) {
    return answerWith(await this.administration.removeSecondFactor({ clientId, actor }, personId));
  }
}
