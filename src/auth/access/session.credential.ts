import { Injectable } from '@nestjs/common';
import type { Credential } from '../../platform/access/credential.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { callerAddress } from '../../platform/http/caller-address.js';
import { sessionHashOf } from '../sessions/session-cookie.js';
import { Sessions } from '../sessions/sessions.js';

/** A person's session, by its cookie. The database is asked each time, so that one that was ended is refused at once and on every node. */
@Injectable()
export class SessionCredential implements Credential {
  constructor(private readonly sessions: Sessions) {}

  async admit(request: ApiRequest): Promise<void> {
    const hash = sessionHashOf(request);
    const person = hash && (await this.sessions.find(hash, callerAddress(request)));
    if (!person) throw new DomainError('session_missing', 'Sign in to go on.');
    request.person = person;
  }
}
