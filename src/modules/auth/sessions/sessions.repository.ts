import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Session } from '../../people/person.entity.js';
import { type SignedInPerson, WHOLESALER } from '../../../platform/access/signed-in-person.js';
import { Database } from '../../../platform/database/database.js';
import { addressBlock } from '../../../platform/http/caller-address.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';

interface SessionFacts {
  hasSecondStep: boolean;
  isNews: boolean;
}

export interface ActiveSession {
  person: SignedInPerson;
  hasSecondStep: boolean;
}

/**
 * A session without the second step is void once its person has one. SQL, because it runs with every page:
 * PostgreSQL plans it once per connection, and uses its own clock.
 */
const FIND = {
  name: 'session-find',
  text: `
    SELECT person.id, client.id AS "clientId", coalesce(client.name, '${WHOLESALER}') AS "clientName",
           coalesce(client.time_zone, $3) AS "timeZone", person.name, person.email,
           person.role, session.id AS "sessionId", person.totp_enabled_at IS NOT NULL AS "hasSecondStep",
           session.last_seen_at < now() - interval '1 minute' AS "isNews"
      FROM sessions session
      JOIN people person ON person.id = session.person_id
      LEFT JOIN clients client ON client.id = person.client_id
     WHERE session.hash = $1 AND session.ended_at IS NULL AND session.ends_at > now()
       AND session.last_seen_at > now() - make_interval(mins => $2) AND person.disabled_at IS NULL
       AND (person.totp_enabled_at IS NULL OR session.second_step_at IS NOT NULL)`,
};

/** SQL for the same reason. Only the first of parallel requests writes. */
const UPDATE_LAST_USE = {
  name: 'session-seen',
  text: `
    UPDATE sessions SET last_seen_at = now()
     WHERE id = $1 AND last_seen_at < now() - interval '1 minute'`,
};

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The person of a valid session. Disabled people are not found. */
  async find(hash: Buffer, address: string): Promise<ActiveSession | undefined> {
    const values = [hash, this.settings.sessionIdleMinutes, this.settings.timeZone];
    const [row] = await this.database.query<SignedInPerson & SessionFacts>(FIND, values);
    if (!row) return undefined;
    const { isNews, hasSecondStep, ...person } = row;
    if (isNews) await this.database.query(UPDATE_LAST_USE, [person.sessionId]);
    return { person: { ...person, address }, hasSecondStep };
  }

  /** Whether a person with this e-mail address signed in from this address before. */
  async isKnown(email: string, address: string): Promise<boolean> {
    const from = await this.sessions
      .createQueryBuilder('session')
      .innerJoin('people', 'person', 'person.id = session.person_id')
      .select('DISTINCT session.address', 'address')
      .where('person.email = :email AND person.released_at IS NULL', { email })
      .getRawMany<{ address: string }>();
    return from.some((session) => addressBlock(session.address) === addressBlock(address));
  }
}
