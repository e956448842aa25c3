import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Credential } from '../../platform/access/credential.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { callerAddress } from '../../platform/http/caller-address.js';
import { OpenPlaces } from '../../platform/rate-limit/open-places.js';
import { PersonPlaces } from '../../platform/rate-limit/person-places.js';
import type { ClientPerson } from '../people/signed-in-person.js';
import { BrowserCookies } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';

const MOST_KNOWN = 10_000;

/**
 * A person's session, by its cookie. The database is asked each time, so that one that was ended is refused at once and on every node. Whoever
 * comes with a secret that this node has not seen asks in the places of strangers, and everybody else in their own: made-up secrets keep
 * nobody waiting who is signed in.
 */
@Injectable()
export class SessionCredential implements Credential {
  /** Whose a secret was when it was last looked up. It is believed only for whom to have wait. */
  private readonly known = new LRUCache<string, number>({ max: MOST_KNOWN });

  constructor(
    private readonly cookies: BrowserCookies,
    private readonly sessions: Sessions,
    private readonly strangers: OpenPlaces,
    private readonly people: PersonPlaces,
  ) {}

  async admit(request: ApiRequest, response: TimedResponse): Promise<void> {
    const hash = this.cookies.sessionHash(request);
    const person = hash && (await this.find(hash, request, response));
    if (!person) throw new DomainError('session_missing', 'Sign in to go on.');
    request.person = person;
  }

  private async find(
    hash: Buffer,
    request: ApiRequest,
    response: TimedResponse,
  ): Promise<ClientPerson | undefined> {
    const key = hash.toString('base64');
    const address = callerAddress(request);
    const knownAs = this.known.get(key);
    if (knownAs !== undefined) {
      await this.people.enter(knownAs, response);
      return this.sessions.find(hash, address);
    }
    const leave = await this.strangers.enter(response);
    const person = await this.sessions.find(hash, address).finally(leave);
    if (!person) return undefined;
    this.known.set(key, person.id);
    await this.people.enter(person.id, response);
    return person;
  }
}
