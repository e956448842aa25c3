import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Raw, Repository } from 'typeorm';
import { MailDesk } from '../../shared/mail/mail-desk.service.js';
import type { MailState } from '../../shared/mail/mail-states.js';
import { isManager, type SignedInPerson } from '../../platform/access/signed-in-person.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { asEmail } from '../../platform/validation/email.js';
import { ofAccount } from './administrator.js';
import { FIRST_ADMIN, type LinkKind, PersonLink, Session, Person } from './person.entity.js';

const ID = /^\d{1,9}$/;

/** A filter by name finds at most this many people. */
export const MAX_NAMED_PEOPLE = 100;

@Injectable()
export class PeopleListService {
  constructor(
    @InjectRepository(Person) private readonly people: Repository<Person>,
    @InjectRepository(PersonLink) private readonly links: Repository<PersonLink>,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly mail: MailDesk,
  ) {}

  async of(clientId: number | null): Promise<PersonListItem[]> {
    const where = { clientId: ofAccount(clientId) };
    const people = await this.people.find({ where, order: { id: 'ASC' } });
    return this.describe(people.filter(({ email }) => email !== FIRST_ADMIN));
  }

  /** The people of the person's account. Only managers see second factors of others. */
  async listFor(person: Pick<SignedInPerson, 'id' | 'clientId' | 'role'>): Promise<PersonListItem[]> {
    const people = await this.of(person.clientId);
    if (isManager(person.role)) return people;
    return people.map((each) => (each.person_id === person.id ? each : { ...each, second_factor: null }));
  }

  async names(ids: readonly number[]): Promise<Map<number, string>> {
    const people = await this.people.find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
    return new Map(people.map(({ id, name }) => [id, name]));
  }

  /** The numbers of people of any account with this text in their names. */
  async idsNamed(text: string, limit: number): Promise<number[]> {
    const name = Raw((column) => `strpos(lower(${column}), lower(:text)) > 0`, { text });
    const people = await this.people.find({ select: { id: true }, where: { name }, take: limit });
    return people.map(({ id }) => id);
  }

  /** Whether an admin of the wholesaler can sign in, now or with a valid invitation. */
  async hasAdmin(): Promise<boolean> {
    const people = await this.of(null);
    return people.some(({ role, state, link }) => role === 'admin' && (state === 'active' || link !== null));
  }

  async one(clientId: number | null, personId: number): Promise<PersonListItem> {
    const own = { id: personId, clientId: ofAccount(clientId) };
    const [item] = await this.describe(await this.people.findBy(own));
    if (!item) throw personNotFound(personId);
    return item;
  }

  /** Finds a person of any account by number or address, for operators. */
  async find(text: string): Promise<{ personId: number; clientId: number | null }> {
    const name = text.trim();
    const by = ID.test(name) ? { id: Number(name) } : { email: asEmail(name), releasedAt: IsNull() };
    const person = await this.people.findOneBy(by);
    if (!person) throw new DomainError('person_not_found', `There is no person "${name}".`);
    return { personId: person.id, clientId: person.clientId };
  }

  private async describe(people: Person[]): Promise<PersonListItem[]> {
    const ids = people.map(({ id }) => id);
    const [lastUses, links] = await Promise.all([this.readLastUses(ids), this.openLinks(ids)]);
    const mails = await this.mail.statesOf([...links.values()].flatMap(({ mailId }) => mailId ?? []));
    return people.map((person) => {
      const link = links.get(person.id);
      return toListItem(person, lastUses.get(person.id) ?? null, link, mails.get(link?.mailId ?? ''));
    });
  }

  private async readLastUses(personIds: number[]): Promise<Map<number, Date>> {
    if (personIds.length === 0) return new Map();
    const rows = await this.sessions
      .createQueryBuilder('session')
      .select('session.personId', 'personId')
      .addSelect('max(session.lastSeenAt)', 'lastSeenAt')
      .where({ personId: In(personIds) })
      .groupBy('session.personId')
      .getRawMany<{ personId: number; lastSeenAt: Date }>();
    return new Map(rows.map(({ personId, lastSeenAt }) => [personId, lastSeenAt]));
  }

  /** Valid links by person. Of two links, the newer one. */
  private async openLinks(personIds: number[]): Promise<Map<number, PersonLink>> {
    const links = await this.links.find({
      where: { personId: In(personIds), endsAt: Raw((column) => `${column} > now()`) },
      order: { createdAt: 'ASC' },
    });
    return new Map(links.map((link) => [link.personId, link]));
  }
}

function toListItem(
  { id, clientId, email, name, role, createdAt, ...standing }: Person,
  lastSeenAt: Date | null,
  link: PersonLink | undefined,
  mail: { state: MailState; fault: string | null } | undefined,
): PersonListItem {
  const { disabledAt, passwordHash, totpEnabledAt } = standing;
  const hasJoined = passwordHash !== null;
  return {
    person_id: id,
    client_id: clientId,
    email,
    name,
    role,
    state: disabledAt ? 'disabled' : hasJoined ? 'active' : 'invited',
    has_joined: hasJoined,
    second_factor: totpEnabledAt !== null,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    link: link
      ? {
          kind: link.kind,
          ends_at: link.endsAt,
          mail: mail?.state ?? null,
          mail_fault: mail?.fault ?? null,
        }
      : null,
  };
}

/** A person in lists of the account. */
export interface PersonListItem {
  person_id: number;
  /** Null for people of the wholesaler. */
  client_id: number | null;
  email: string;
  name: string;
  role: Person['role'];
  /** `invited`: has no password yet. */
  state: 'active' | 'invited' | 'disabled';
  /** Has chosen a password, perhaps before being disabled. */
  has_joined: boolean;
  /** Null for readers other than managers and the person. */
  second_factor: boolean | null;
  created_at: Date;
  last_seen_at: Date | null;
  /** The valid link and the state of its mail. */
  link: { kind: LinkKind; ends_at: Date; mail: MailState | null; mail_fault: string | null } | null;
}

export function personNotFound(personId: number): DomainError {
  return new DomainError('person_not_found', `There is no person ${personId}.`);
}
