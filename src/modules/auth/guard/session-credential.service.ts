import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { accountOf } from '../../../platform/access/access.decorators.js';
import type { AccessRule, Credential } from '../../../platform/access/access-rule.js';
import {
  may,
  requireRole,
  type SignedInPerson,
  WHOLESALER,
} from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Allowance, Allowances } from '../../../platform/limits/allowance.js';
import { type ApiRequest, isRead } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { callerAddress, callerNetwork } from '../../../platform/http/caller-address.js';
import { FileQueue, PersonLimit, AnonymousLimit } from '../../../platform/limits/concurrency-limit.js';
import { RateLimiter } from '../../../platform/limits/rate-limiter.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { BrowserCookiesService } from '../sessions/browser-cookies.service.js';
import { type ActiveSession, SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

const MAX_CACHED = 10_000;

/** Forms of one person at one node. No person submits more by hand. */
const POSTS_PER_MINUTE = 60;

/** How often a session is checked during an answer. Most answers end earlier. */
const RECHECK_MS = 2_000;

/** Files except PDFs, which are drawn in a thread with a queue of its own. */
const FILE_OF_ROWS = /\.(csv|json|zip)$/;

type SessionRule = Extract<AccessRule, { credential: 'session' }>;

/**
 * Checks a person's session cookie. It queries the database on every request, so every node refuses an ended
 * session at once. Cookies that are new to this node use the slots of anonymous callers, so invented cookies
 * cannot delay signed-in people.
 */
@Injectable()
export class SessionCredentialService implements Credential<SessionRule> {
  /** The person of each cookie at its last look-up. It only decides whose slot the request takes. */
  private readonly personBySession = new LRUCache<string, number>({ max: MAX_CACHED });

  private readonly posts = new Allowances<number>(POSTS_PER_MINUTE);

  constructor(
    private readonly cookies: BrowserCookiesService,
    private readonly stored: SessionsRepository,
    private readonly sessions: SessionsService,
    private readonly anonymousLimit: AnonymousLimit,
    private readonly personLimit: PersonLimit,
    private readonly fileQueue: FileQueue,
    private readonly limiter: RateLimiter,
    private readonly snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async admit(request: ApiRequest, response: TimedResponse, rule: SessionRule): Promise<void> {
    this.snapshot.requireRightClock();
    const ownSession = await this.identify(request, response);
    const session = await this.withViewedClient(rule, ownSession);
    const { person } = session;
    // Set for refusals too, whose page links to the person's home page.
    request.person = person;
    request.cost = this.limiter.spendOfPerson(accountOf(ownSession), response);
    if (request.method === 'POST') this.countPost(person.id);
    this.check(session, rule);
    if (rule.of === 'client' && person.seesUntil) checkReading(request, rule);
    if (request.method === 'POST') return;
    this.closeWithSession(request, response, rule);
    if (FILE_OF_ROWS.test(request.path)) await this.enterFileQueue(request, response);
    if (person.clientId !== null) await this.snapshot.pendingRefreshOf(person.clientId);
  }

  /** Ends a download, which takes minutes, when its session ends or its person loses the right to it. */
  private closeWithSession(request: ApiRequest, response: TimedResponse, rule: SessionRule): void {
    if (response.destroyed) return;
    const recheck = setInterval(() => {
      this.recheck(request, rule).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'unavailable') return;
        response.destroy();
      });
    }, RECHECK_MS).unref();
    response.once('close', () => clearInterval(recheck));
  }

  private async recheck(request: ApiRequest, rule: SessionRule): Promise<void> {
    const session = await this.stored.find(this.cookies.sessionHash(request)!, callerAddress(request));
    if (!session) throw new DomainError('session_missing', 'Sign in to continue.');
    this.check(await this.withViewedClient(rule, session), rule);
  }

  async identify(request: ApiRequest, response: TimedResponse): Promise<ActiveSession> {
    const hash = this.cookies.sessionHash(request);
    const session = hash && (await this.find(hash, request, response));
    if (!session) throw new DomainError('session_missing', 'Sign in to continue.');
    return session;
  }

  /** People may open only the pages of their side. A trial needs no second step. */
  private check({ person, hasSecondStep }: ActiveSession, rule: SessionRule): void {
    if ((person.clientId === null) !== (rule.of === 'wholesaler'))
      throw new DomainError(
        'role_missing',
        `This page is for people of ${rule.of === 'client' ? 'a client' : WHOLESALER}. ` +
          `You are signed in for ${person.clientName}.`,
      );
    if (rule.of === 'client') return;
    if (!hasSecondStep && !this.settings.isOnTrial && rule.lenient === undefined)
      throw new DomainError('second_step_missing', 'People of the wholesaler sign in with a second step.');
    requireRole(person, rule.role);
  }

  /** On a client's page a person of the desk is a viewer of that client. */
  private async withViewedClient(rule: SessionRule, session: ActiveSession): Promise<ActiveSession> {
    const viewer = rule.of === 'client' && (await this.viewer(session));
    return viewer ? { ...session, person: viewer } : session;
  }

  /** A person of the desk who views a client's pages, with the same rights as for a page of the desk. */
  private async viewer({ person, hasSecondStep }: ActiveSession): Promise<SignedInPerson | undefined> {
    if (!may(person, 'see as a client') || !(hasSecondStep || this.settings.isOnTrial)) return undefined;
    return this.sessions.viewer(person);
  }

  /** Most posts write to the database, the audit log included. */
  private countPost(personId: number): void {
    const now = performance.now();
    const posts = this.posts.of(personId, now);
    if (posts?.take(now) === false) throw tooMany(`submit ${POSTS_PER_MINUTE} forms`, posts);
  }

  /** Waits without a slot, so that the person's pages are served in the meantime. */
  private async enterFileQueue(request: ApiRequest, response: TimedResponse): Promise<void> {
    request.releaseSlot?.();
    await this.fileQueue.enter(accountOf(request), request, response);
  }

  private async find(
    hash: Buffer,
    request: ApiRequest,
    response: TimedResponse,
  ): Promise<ActiveSession | undefined> {
    const key = hash.toString('base64');
    const address = callerAddress(request);
    const cachedPersonId = this.personBySession.get(key);
    if (cachedPersonId !== undefined) {
      await this.enter(cachedPersonId, request, response);
      return this.stored.find(hash, address);
    }
    const release = await this.anonymousLimit.acquire(callerNetwork(request), response);
    const session = await this.stored.find(hash, address).finally(release);
    if (!session) return undefined;
    this.personBySession.set(key, session.person.id);
    await this.enter(session.person.id, request, response);
    return session;
  }

  /** The slot is released when the work is over or, for a file, when its client disconnects. */
  private async enter(personId: number, request: ApiRequest, response: TimedResponse): Promise<void> {
    const release = await this.personLimit.acquire(personId, response);
    request.releaseSlot = release;
    response.whenOver(release);
    response.once('close', () => response.headersSent && release());
  }
}

function tooMany(what: string, { secondsUntilNext: retryAfterSeconds }: Allowance): DomainError {
  const message = `You may ${what} a minute. Try again in ${retryAfterSeconds} s.`;
  return new DomainError('rate_limited', message, { retryAfterSeconds });
}

/** The only place that makes the pages of a client read-only for people of the wholesaler. */
function checkReading(request: ApiRequest, { inPerson }: Extract<SessionRule, { of: 'client' }>): void {
  if (inPerson) throw new DomainError('role_missing', 'Only people of the client may see this page.');
  if (!isRead(request))
    throw new DomainError(
      'role_missing',
      'You see these pages as the client sees them. You cannot change or pay anything here.',
    );
}
