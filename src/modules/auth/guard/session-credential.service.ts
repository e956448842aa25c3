import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { accountOf } from '../../../platform/access/access.decorators.js';
import type { AccessRule, Credential, DeskRole } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { Allowance } from '../../../platform/limits/allowance.js';
import { type ApiRequest, isRead } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { callerAddress, callerNetwork } from '../../../platform/http/caller-address.js';
import { PRICES } from '../../../platform/limits/request-costs.js';
import { FileQueue, PersonPlaces, StrangerPlaces } from '../../../platform/limits/concurrency-limit.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import {
  hasRole,
  requireRole,
  type SignedInPerson,
  WHOLESALER,
} from '../../../platform/access/signed-in-person.js';
import { BrowserCookiesService } from '../sessions/browser-cookies.service.js';
import { type Found, SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

const MOST_KNOWN = 10_000;

/** Forms of one person at one node. No person submits more by hand. */
const POSTS_PER_MINUTE = 60;

/** How often a session is checked during an answer. Most answers end earlier. */
const RECHECK_MS = 2_000;

/** The ends of paths that return a file. */
const FILE = /\.(csv|json|pdf|zip)$/;

/** Files except PDFs, which are drawn in a thread with a queue of its own. */
const FILE_OF_ROWS = /\.(csv|json|zip)$/;

const SEES_AS_CLIENT = 'staff' satisfies DeskRole;

type SessionRule = Extract<AccessRule, { credential: 'session' }>;

/**
 * Checks a person's session cookie. It queries the database on every request, so every node refuses an ended
 * session at once. Cookies that are new to this node use the slots of anonymous callers, so invented cookies
 * cannot delay signed-in people.
 */
@Injectable()
export class SessionCredentialService implements Credential<SessionRule> {
  /** The person of each cookie at its last look-up. It only decides whose slot the request takes. */
  private readonly known = new LRUCache<string, number>({ max: MOST_KNOWN });

  private readonly posts = new LRUCache<number, Allowance>({ max: MOST_KNOWN });

  /** By account, because a client may have a hundred people. */
  private readonly files = new LRUCache<string, Allowance>({ max: MOST_KNOWN });

  constructor(
    private readonly cookies: BrowserCookiesService,
    private readonly stored: SessionsRepository,
    private readonly sessions: SessionsService,
    private readonly strangers: StrangerPlaces,
    private readonly people: PersonPlaces,
    private readonly fileQueue: FileQueue,
    private readonly snapshot: SnapshotService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async admit(request: ApiRequest, response: TimedResponse, rule: SessionRule): Promise<void> {
    const found = await this.seenBy(rule, await this.identify(request, response));
    const { person } = found;
    // Set for refusals too, whose page links to the person's home page.
    request.person = person;
    if (request.method === 'POST') this.countPost(person.id);
    else if (FILE.test(request.path)) this.countFile(request);
    this.check(found, rule);
    if (rule.of === 'client' && person.seesUntil) checkReading(request, rule);
    if (request.method === 'POST') return;
    this.breakOffWithSession(request, response, rule);
    if (FILE_OF_ROWS.test(request.path)) await this.enterFileQueue(request, response);
    if (person.clientId !== null) await this.snapshot.owedTo(person.clientId);
  }

  /** Ends a download, which takes minutes, when its session ends or its person loses the right to it. */
  private breakOffWithSession(request: ApiRequest, response: TimedResponse, rule: SessionRule): void {
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
    const found = await this.stored.find(this.cookies.sessionHash(request)!, callerAddress(request));
    if (!found) throw new DomainError('session_missing', 'Sign in to continue.');
    this.check(await this.seenBy(rule, found), rule);
  }

  async identify(request: ApiRequest, response: TimedResponse): Promise<Found> {
    const hash = this.cookies.sessionHash(request);
    const found = hash && (await this.find(hash, request, response));
    if (!found) throw new DomainError('session_missing', 'Sign in to continue.');
    return found;
  }

  /** People may open only the pages of their side. A trial needs no second step. */
  private check({ person, hasSecondStep }: Found, rule: SessionRule): void {
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
  private async seenBy(rule: SessionRule, found: Found): Promise<Found> {
    const viewer = rule.of === 'client' && (await this.viewer(found));
    return viewer ? { ...found, person: viewer } : found;
  }

  /** A person of the desk who views a client's pages, with the same rights as for a page of the desk. */
  private async viewer({ person, hasSecondStep }: Found): Promise<SignedInPerson | undefined> {
    if (!hasRole(person, SEES_AS_CLIENT) || !(hasSecondStep || this.settings.isOnTrial)) return undefined;
    return this.sessions.viewer(person);
  }

  /** Most posts write to the database, the audit log included. */
  private countPost(personId: number): void {
    const posts = allowanceIn(this.posts, personId, POSTS_PER_MINUTE);
    if (!posts.take(performance.now())) throw tooMany(`submit ${POSTS_PER_MINUTE} forms`, posts);
  }

  /**
   * An account has as many units per minute for files as a client has for requests. A file costs as much as a
   * PDF costs a store, and more by its size while it is created.
   */
  private countFile(request: ApiRequest): void {
    const { rateLimitPerMinute: units } = this.settings;
    if (units === 0) return;
    const files = allowanceIn(this.files, accountOf(request), units);
    if (!files.take(performance.now())) throw tooMuchDownloaded(files);
    files.charge(PRICES.pdf - 1);
    request.file = { charge: (more) => files.charge(more) };
  }

  /** Waits without a slot, so that the person's pages are served in the meantime. */
  private async enterFileQueue(request: ApiRequest, response: TimedResponse): Promise<void> {
    request.leavePlace?.();
    const leaveQueue = await this.fileQueue.enter(accountOf(request), response);
    request.file = { charge: () => undefined, ...request.file, leaveQueue };
    response.once('close', leaveQueue);
    if (response.destroyed) leaveQueue();
  }

  private async find(hash: Buffer, request: ApiRequest, response: TimedResponse): Promise<Found | undefined> {
    const key = hash.toString('base64');
    const address = callerAddress(request);
    const knownAs = this.known.get(key);
    if (knownAs !== undefined) {
      await this.enter(knownAs, request, response);
      return this.stored.find(hash, address);
    }
    const leave = await this.strangers.enter(callerNetwork(request), response);
    const found = await this.stored.find(hash, address).finally(leave);
    if (!found) return undefined;
    this.known.set(key, found.person.id);
    await this.enter(found.person.id, request, response);
    return found;
  }

  /** The slot is released when the work is over or, for a file, when its client disconnects. */
  private async enter(personId: number, request: ApiRequest, response: TimedResponse): Promise<void> {
    const leave = await this.people.enter(personId, response);
    request.leavePlace = leave;
    response.whenOver(leave);
    response.once('close', () => response.headersSent && leave());
  }
}

function allowanceIn<Key extends string | number>(
  known: LRUCache<Key, Allowance>,
  key: Key,
  perMinute: number,
): Allowance {
  let allowance = known.get(key);
  if (!allowance) known.set(key, (allowance = new Allowance(perMinute, performance.now())));
  return allowance;
}

function tooMuchDownloaded({ secondsUntilNext: retryAfterSeconds }: Allowance): DomainError {
  const message =
    `Too much was downloaded in the last minutes. The next file can begin in ${retryAfterSeconds} s. ` +
    'Large files count more than small ones.';
  return new DomainError('rate_limited', message, { retryAfterSeconds });
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
