import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { WHOLESALER } from '../../platform/access/signed-in-person.js';
import { Database, lockByName, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/texts.js';
import {
  type Administrator,
  doneBy,
  isSignedIn,
  lockPeople,
  requireOtherPerson,
  requireManager,
} from './administrator.js';
import { endSessionsWithin } from './end-sessions.js';
import { isLastManager } from './last-manager.js';
import { type NewLink, PersonLinksService } from './links/person-links.service.js';
import { NewPeopleService, type NewPerson, readNewPerson } from './new-people.service.js';
import { PeopleListService, personNotFound, type PersonListItem } from './people-list.service.js';
import { FIRST_ADMIN, Person } from './person.entity.js';
import { readRole } from './roles.js';
import { invitationLimits, SignInLimitsService } from './sign-in-limits.service.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';

/** The link is shown once. It is null for a signed-in manager if it was sent by mail. */
export interface PersonWithLink extends PersonListItem {
  url: string | null;
  mailed: boolean;
}

interface PersonChange {
  role?: string;
  name?: string;
  /** The role on the page, so that two people do not overwrite each other's choice. */
  reviewedRole?: string | undefined;
}

type Change = (transaction: Transaction, person: Person, others: Person[]) => Promise<void>;

/** In `DATA_DIR`, if no terminal shows the link. */
export const FIRST_ADMIN_FILE = 'first-admin-link.txt';

/**
 * Owners manage people of their client, admins people of the wholesaler, operators all people. People of
 * other accounts look like unknown people.
 */
@Injectable()
export class PeopleAdministrationService {
  constructor(
    private readonly database: Database,
    private readonly people: PeopleListService,
    private readonly newPeople: NewPeopleService,
    private readonly links: PersonLinksService,
    private readonly twoFactor: TwoFactorService,
    private readonly limits: SignInLimitsService,
    private readonly audit: AuditLog,
  ) {}

  async show(by: Administrator, personId: number): Promise<PersonListItem> {
    requireManager(by);
    return this.people.one(by.clientId, personId);
  }

  /** A form with errors does not count towards the limit. A taken address counts, against probing. */
  async invite(by: Administrator, form: NewPerson): Promise<PersonWithLink> {
    requireManager(by);
    const newPerson = readNewPerson(form, by.clientId);
    await this.takeLimit(by);
    const { personId, link } = await this.database.transaction(async (transaction) => {
      await lockPeople(transaction, by);
      return this.newPeople.inviteWithin(transaction, by, newPerson);
    });
    return this.withLink(by, personId, link);
  }

  /**
   * The link of the first admin, without its origin. The person chooses the address with it. A new link
   * replaces the last one, and none works once there is an admin.
   */
  firstAdminPath(): Promise<string> {
    return this.database.transaction(async (transaction) => {
      await lockByName(transaction, 'first admin');
      const { manager } = transaction;
      const values = { email: FIRST_ADMIN, name: FIRST_ADMIN, role: 'admin', clientId: null } as const;
      const existing = await manager.findOneBy(Person, { email: FIRST_ADMIN });
      const person = existing ?? (await manager.save(Person, manager.create(Person, values)));
      const { url } = await this.links.makeWithin(transaction, person, 'invitation');
      const { pathname, hash } = new URL(url);
      return pathname + hash;
    });
  }

  /**
   * An invitation for a person without a password, who is enabled by it; else a reset. It replaces earlier
   * links of its kind.
   */
  async makeLink(by: Administrator, personId: number): Promise<PersonWithLink> {
    requireManager(by);
    await this.takeLimit(by);
    let link: NewLink | undefined;
    await this.change(by, personId, async (transaction, person) => {
      requireOtherPerson(by, person.id);
      const kind = person.passwordHash === null ? 'invitation' : 'reset';
      if (person.disabledAt && kind === 'reset')
        throw new DomainError('conflict', `${person.email} is disabled: enable them first.`);
      await this.enableWithin(transaction, by, person);
      await this.newPeople.takeBackWithin(transaction, by, person);
      link = await this.links.makeWithin(transaction, person, kind);
      await this.recordChange(transaction, by, person, 'link_made', { kind, mailed: link.isMailed });
    });
    return this.withLink(by, personId, link!);
  }

  /** Changes role, name or both. */
  set(by: Administrator, personId: number, change: PersonChange): Promise<PersonListItem> {
    const role = change.role === undefined ? undefined : readRole(change.role, by.clientId);
    const name = change.name === undefined ? undefined : readLine('name', change.name, 200);
    return this.changed(by, personId, async (transaction, person, others) => {
      if (role !== undefined && role !== person.role) {
        if (change.reviewedRole !== undefined && change.reviewedRole !== person.role)
          throw new DomainError(
            'conflict',
            `Another person changed the role in the meantime. It is now ${person.role}.`,
          );
        if (isLastManager(person, others)) throw lastManagerError(person);
        await transaction.manager.update(Person, person.id, { role });
        await this.recordChange(transaction, by, person, 'role_changed', { from: person.role, to: role });
      }
      if (name !== undefined && name !== person.name) {
        await transaction.manager.update(Person, person.id, { name });
        await this.recordChange(transaction, by, person, 'renamed', { from: person.name, to: name });
      }
    });
  }

  /**
   * Ends all sessions at once. A person who is already disabled keeps the first date. Only an operator may
   * disable the last owner or admin.
   */
  disable(by: Administrator, personId: number, { force = false } = {}): Promise<PersonListItem> {
    return this.changed(by, personId, async (transaction, person, others) => {
      if (person.disabledAt) return;
      const mayBeLast = force && !isSignedIn(by);
      if (!mayBeLast && isLastManager(person, others)) throw lastManagerError(person);
      requireOtherPerson(by, person.id);
      await transaction.manager.update(Person, person.id, { disabledAt: () => 'now()' });
      await endSessionsWithin(transaction, person.id);
      await this.links.endAllWithin(transaction, person.id);
      await this.recordChange(transaction, by, person, 'disabled');
    });
  }

  /** Enables a person, who keeps password and second factor. */
  enable(by: Administrator, personId: number): Promise<PersonListItem> {
    return this.changed(by, personId, (transaction, person) => this.enableWithin(transaction, by, person));
  }

  private async enableWithin(transaction: Transaction, by: Administrator, person: Person): Promise<void> {
    if (!person.disabledAt) return;
    await transaction.manager.update(Person, person.id, { disabledAt: null });
    await this.recordChange(transaction, by, person, 'enabled');
  }

  /** For a person who lost the second factor. Ends all sessions. Afterwards the password is enough. */
  removeSecondFactor(by: Administrator, personId: number): Promise<PersonListItem> {
    return this.changed(by, personId, async (transaction, person) => {
      requireOtherPerson(by, person.id);
      if (await this.twoFactor.removeWithin(transaction, person.id))
        await this.recordChange(transaction, by, person, 'second_factor_removed');
    });
  }

  private async changed(by: Administrator, personId: number, change: Change): Promise<PersonListItem> {
    await this.change(by, personId, change);
    return this.people.one(by.clientId, personId);
  }

  /** Changes of a client's people run one by one, so each decision still holds at its commit. */
  private change(by: Administrator, personId: number, change: Change): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const people = await lockPeople(transaction, by);
      const person = people.find(({ id }) => id === personId);
      if (!person) throw personNotFound(personId);
      const others = people.filter(({ id }) => id !== personId);
      await change(transaction, person, others);
    });
  }

  /** Managers choose the recipients, so a limit keeps us from sending spam. */
  private async takeLimit(by: Administrator): Promise<void> {
    if (!isSignedIn(by)) return;
    await this.limits.take(invitationLimits(by.id, by.clientId), () =>
      this.audit.record({
        person: by,
        action: 'person.invitations_limited',
        subject: by.clientId === null ? WHOLESALER : `client ${by.clientId}`,
      }),
    );
  }

  private async withLink(by: Administrator, personId: number, link: NewLink): Promise<PersonWithLink> {
    const isForPersonOnly = isSignedIn(by) && link.isMailed;
    const item = await this.people.one(by.clientId, personId);
    return { ...item, url: isForPersonOnly ? null : link.url, mailed: link.isMailed };
  }

  private recordChange(
    transaction: Transaction,
    by: Administrator,
    { id, email }: Person,
    change: string,
    details: Record<string, string | boolean> = {},
  ): Promise<void> {
    return this.audit.recordWithin(transaction, {
      ...doneBy(by),
      action: `person.${change}`,
      subject: `person ${id}`,
      details: { email, ...details },
    });
  }
}

function lastManagerError({ email, role }: Person): DomainError {
  return new DomainError(
    'conflict',
    `${email} is the only ${role} who can sign in. Make another person an ${role} first.`,
  );
}
