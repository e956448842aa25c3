import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { ClientPerson } from '../people/signed-in-person.js';

/** SQL, because it runs with every page: PostgreSQL parses and plans it once for each connection. By the clock that all nodes share. */
const FIND = {
  name: 'session-find',
  text: `
    SELECT person.id, client.id AS "clientId", client.name AS "clientName", person.name, person.email, person.role,
           session.id AS "sessionId", session.last_seen_at < now() - interval '1 minute' AS "isNews"
      FROM sessions session
      JOIN people person ON person.id = session.person_id
      JOIN clients client ON client.id = person.client_id
     WHERE session.hash = $1 AND session.ended_at IS NULL AND session.ends_at > now()
       AND session.last_seen_at > now() - make_interval(mins => $2) AND person.disabled_at IS NULL`,
};

/** Likewise. Of several requests at once the first one writes. */
const SEEN = {
  name: 'session-seen',
  text: `UPDATE sessions SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - interval '1 minute'`,
};

/** Where people are signed in. */
@Injectable()
export class Sessions {
  private readonly idleMinutes: number;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) { sessionIdleMinutes }: Settings,
  ) {
    this.idleMinutes = sessionIdleMinutes;
  }

  /** Whose it is, if it is good. Whoever was disabled meanwhile is not found any more. */
  async find(hash: Buffer, address: string): Promise<ClientPerson | undefined> {
    const [found] = await this.database.query<ClientPerson & { isNews: boolean }>(FIND, [
      hash,
      this.idleMinutes,
    ]);
    if (!found) return undefined;
    const { isNews, ...person } = found;
    if (isNews) await this.database.query(SEEN, [person.sessionId]);
    return { ...person, address };
  }
}
