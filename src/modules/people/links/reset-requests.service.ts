import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Outbox } from '../../../shared/mail/outbox.repository.js';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { asEmail } from '../../../platform/validation/email.js';
import { Person } from '../person.entity.js';
import { resetLimits, SignInLimitsService } from '../sign-in-limits.service.js';
import { PersonLinksService } from './person-links.service.js';

/** Anyone can request a link. More requests than this are an attack. */
const MAX_PENDING = 100;

const ANONYMOUS_ACTOR = 'a stranger';

/**
 * Requests for a link to choose a new password. The answer is the same for unknown addresses. It is sent
 * before the look-up, so its timing reveals nothing.
 */
@Injectable()
export class ResetRequestsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ResetRequestsService.name);
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly limits: SignInLimitsService,
    private readonly links: PersonLinksService,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @InjectRepository(Person) private readonly people: Repository<Person>,
  ) {}

  /** Whether mail is set up. Without it, an owner or the wholesaler creates the link. */
  get arePossible(): boolean {
    return this.outbox.canSend;
  }

  async requestLink(typed: string, address: string): Promise<void> {
    if (this.pending.size >= MAX_PENDING) throw tooManyAtOnce();
    const email = asEmail(typed);
    await this.limits.take(resetLimits(email, address), () => this.recordLimit(address));
    const work = this.mail(email, address)
      .catch((error: unknown) => this.logger.warn(`A link for a new password was not made: ${String(error)}`))
      .finally(() => this.pending.delete(work));
    this.pending.add(work);
  }

  /** Resolves when all requests so far are processed. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }

  /** A person without a password has an invitation, which this does not replace. */
  private async mail(email: string, address: string): Promise<void> {
    const criteria = { email, releasedAt: IsNull() };
    const found = this.arePossible && (await this.people.findOneBy(criteria));
    if (!found) return;
    await this.database.transaction(async (transaction) => {
      const person = await lockPerson(transaction.manager, found.id);
      if (person.disabledAt !== null || person.passwordHash === null) return;
      await this.links.makeWithin(transaction, person, 'reset');
      await this.audit.recordWithin(transaction, {
        actor: ANONYMOUS_ACTOR,
        clientId: person.clientId,
        personId: person.id,
        action: 'password.reset_asked',
        subject: `person ${person.id}`,
        address,
      });
    });
  }

  /** Names no account, so that random addresses cannot fill a client's log. */
  private recordLimit(address: string): Promise<void> {
    return this.audit.record({
      actor: ANONYMOUS_ACTOR,
      clientId: null,
      action: 'password.reset_limited',
      subject: 'an account',
      address,
    });
  }
}

export function lockPerson(manager: EntityManager, id: number): Promise<Person> {
  return manager.findOneOrFail(Person, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Too many people are requesting a link. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}
