import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Client } from '../../clients/client.entity.js';
import { linkInvalid } from '../../people/links/person-links.service.js';
import { OwnPasswordService } from '../../people/passwords/own-password.service.js';
import { newPasswordFaults } from '../../people/passwords/password-fault.js';
import { readPersonEmail } from '../../people/new-people.service.js';
import { PasswordWorkService } from '../../people/passwords/password-work.service.js';
import { PeopleListService } from '../../people/people-list.service.js';
import { FIRST_ADMIN, Person, type LinkKind, PersonLink } from '../../people/person.entity.js';
import { hashSecret } from '../../people/secret.js';
import { WHOLESALER } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import { networkOf } from '../../../platform/http/caller-address.js';
import { AnonymousLimit } from '../../../platform/limits/concurrency-limit.js';
import { readField } from '../../../platform/validation/readers.js';
import { lineFault } from '../../../platform/validation/texts.js';
import type { Browser } from '../sessions/browser-cookies.service.js';
import { SessionsService } from '../sessions/sessions.service.js';

const MAX_NAME_LENGTH = 200;

/** The purpose and the person of a valid link. */
export interface OpenedLink {
  kind: LinkKind;
  email: string;
  name: string;
  role: Person['role'];
  clientName: string;
  /** The person chooses the address too. */
  isFirstAdmin: boolean;
}

interface LinkForm {
  /** Empty for a person who signs in for the first time. */
  name: string;
  /** Only the first admin chooses one. */
  email?: string;
  password: string;
}

/** Lets people choose a password with the secret of a link. */
@Injectable()
export class LinkUseService {
  constructor(
    private readonly database: Database,
    private readonly passwords: OwnPasswordService,
    private readonly work: PasswordWorkService,
    private readonly anonymousLimit: AnonymousLimit,
    private readonly sessions: SessionsService,
    private readonly audit: AuditLog,
    private readonly peopleList: PeopleListService,
    @InjectRepository(PersonLink) private readonly links: Repository<PersonLink>,
    @InjectRepository(Person) private readonly people: Repository<Person>,
    @InjectRepository(Client) private readonly clients: Repository<Client>,
  ) {}

  /**
   * Opening does not use up the link, because mail scanners follow links too. Anonymous callers call this, so
   * their limit applies.
   */
  async open(secret: string, address: string): Promise<OpenedLink> {
    const { kind, person, clientName } = await this.anonymousLimit.run(networkOf(address), () =>
      this.find(secret),
    );
    const { email, name, role } = person;
    const isFirstAdmin = email === FIRST_ADMIN;
    // The stored name is the address until the person chooses a name.
    return { kind, email, name: name === email ? '' : name, role, clientName, isFirstAdmin };
  }

  /**
   * Sets the password and ends all earlier links and sessions. A new person is signed in and gets a session.
   * Others sign in as usual, so the second step still applies. Hashing waits in the queue of known
   * people, because the link is valid.
   */
  async use(
    secret: string,
    form: LinkForm,
    browser: Browser,
    previousSession: Buffer | undefined,
  ): Promise<string | undefined> {
    const { email } = await this.open(secret, browser.address);
    return this.work.forPerson(email, async (hasher) => {
      const { kind, person, clientName } = await this.find(secret);
      const name = kind === 'invitation' ? form.name.trim() : person.name;
      const address = person.email === FIRST_ADMIN ? readAddress(form.email) : person.email;
      checkForm({ email: address, name, clientName }, form.password);
      const passwordHash = await hasher.hash(form.password);
      return this.database.transaction(async (transaction) => {
        await this.requireGood(transaction, person.id, secret);
        const isFirst = kind === 'invitation';
        if (address !== person.email) await requireFree(transaction, address);
        const values = { name, passwordHash, email: address };
        const ended = await this.passwords.replaceWithin(transaction, { id: person.id }, values, { isFirst });
        await this.audit.recordWithin(transaction, {
          person: { ...person, email: address, address: browser.address },
          action: kind === 'invitation' ? 'person.joined' : 'password.reset',
          subject: `person ${person.id}`,
          details: { sessions_ended: ended },
        });
        return kind === 'invitation'
          ? this.sessions.beginWithin(transaction, person, browser, previousSession)
          : undefined;
      });
    });
  }

  private async find(secret: string): Promise<{ kind: LinkKind; person: Person; clientName: string }> {
    const hash = hashSecret(secret);
    const link = hash && (await this.links.findOneBy({ hash, endsAt: TO_COME }));
    if (!link) throw linkInvalid();
    const person = await this.people.findOneByOrFail({ id: link.personId });
    if (person.email === FIRST_ADMIN && (await this.peopleList.hasAdmin())) throw linkInvalid();
    const { clientId } = person;
    const client = clientId === null ? null : await this.clients.findOneByOrFail({ id: clientId });
    return { kind: link.kind, person, clientName: client?.name ?? WHOLESALER };
  }

  /** Of two parallel uses only one finds the link. Disabling the person also deletes it. */
  private async requireGood({ manager }: Transaction, personId: number, secret: string): Promise<void> {
    await manager.findOne(Person, { where: { id: personId }, lock: { mode: 'for_no_key_update' } });
    const good = { hash: hashSecret(secret)!, endsAt: TO_COME };
    if (!(await manager.existsBy(PersonLink, good))) throw linkInvalid();
  }
}

const readAddress = (typed = '') => readField('email', () => readPersonEmail(typed));

async function requireFree({ manager }: Transaction, email: string): Promise<void> {
  if (await manager.existsBy(Person, { email, releasedAt: IsNull() }))
    throw validationFailed([{ field: 'email', code: 'taken', message: 'is already in use' }]);
}

const TO_COME = Raw((column) => `${column} > now()`);

function checkForm(about: { email: string; name: string; clientName: string }, password: string): void {
  const fault = lineFault(about.name, MAX_NAME_LENGTH);
  const faults = [
    ...(fault === undefined ? [] : [{ field: 'name', code: 'invalid', message: fault }]),
    ...newPasswordFaults(password, about),
  ];
  if (faults.length > 0) throw validationFailed(faults);
}
