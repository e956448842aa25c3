import type { LinkKind } from '../links/person-link.entity.js';
import type { MailState } from '../../mail/mail-state.js';
import type { Person } from './person.entity.js';

/** One of a client's people, as far as others may know. */
export interface PersonListed {
  person_id: number;
  client_id: number;
  email: string;
  name: string;
  role: Person['role'];
  /** `invited`: has no password yet. */
  state: 'active' | 'invited' | 'disabled';
  /** Null where it is nobody's business: who lacks one is told to owners, and to oneself. */
  second_factor: boolean | null;
  created_at: Date;
  last_seen_at: Date | null;
  /** What is good now, and what became of the mail that it was sent with. */
  link: { kind: LinkKind; ends_at: Date; mail: MailState | null } | null;
}
