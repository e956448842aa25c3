import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessRule, Credential } from '../../../platform/access/access-rule.js';
import { DomainError, unavailable } from '../../../platform/errors/domain-error.js';
import { readTestFailure } from '../../../platform/access/test-failure.js';
import { tokenNotAllowed } from '../../../platform/access/token-kind.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { RateLimiter } from '../../../platform/limits/rate-limiter.js';
import { type Caller, type Holder, isAdmitted, type Visitor } from '../../../read-model/callers/caller.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { subscriptionInactive, SUSPENDED, tokenUnknown } from '../../clients/refusals.js';
import { readAuthorization, hashToken, isWholeKey, isWholeToken } from '../tokens/token-secret.js';
import { normaliseDomain } from '../../clients/domain.js';
import { TokenUsesService } from '../tokens/token-uses.service.js';

const MAX_HASHES = 10_000;

type StoreTokenRule = Extract<AccessRule, { credential: 'store token' }>;

/** Checks a store's token, its domain, the subscription and the kind of the token, all in memory. */
@Injectable()
export class StoreTokenCredentialService implements Credential<StoreTokenRule> {
  /** The hashes of known tokens by their header: a poll hashes nothing. A wrong token is never kept. */
  private readonly hashes = new LRUCache<string, string>({ max: MAX_HASHES });

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly limiter: RateLimiter,
    private readonly uses: TokenUsesService,
  ) {}

  /** Checks the limit right after the token, because it belongs to the token's client. */
  admit(
    request: ApiRequest,
    response: TimedResponse,
    { subscription, tokens, share = 'other' }: StoreTokenRule,
  ): Promise<void> | undefined {
    const holder = this.holder(request.headers);
    if (holder) request.holder = holder;
    if (!holder || !isAdmitted(holder, Date.now())) throw tokenRefused(holder, request.headers);
    request.cost = this.limiter.spend(accountOf(holder), share, response);
    const visitor = this.visitor(holder, request.headers);
    request.caller = subscription === 'required' ? this.subscriber(visitor) : visitor;
    if (!tokens.includes(holder.token.kind)) throw tokenNotAllowed(holder.token.kind, tokens);
    request.testFailure = readTestFailure(request.headers, holder.token.kind);
    if (request.testFailure === 'rate_limited') {
      request.cost.refund();
      this.limiter.refuse(response);
    }
    if (request.testFailure === 'unavailable') throw unavailable();
    // A client must read its own latest writes.
    return request.method === 'POST' ? undefined : this.snapshot.pendingRefreshOf(holder.client.id);
  }

  /** The holder of the token, even of a revoked one. */
  private holder({ authorization }: IncomingHttpHeaders): Holder | undefined {
    if (!authorization?.trim()) {
      throw new DomainError('token_missing', 'Send your API token as "Authorization: Bearer <token>".');
    }
    const known = this.hashes.get(authorization);
    if (known !== undefined) return this.snapshot.findHolder(known);
    const read = readAuthorization(authorization);
    if ('fault' in read)
      throw new DomainError('token_invalid', `${read.fault}: the header is "Authorization: Bearer <token>".`);
    // The look-up by hash takes the same time for any wrong token.
    const hash = hashToken(read.token);
    const holder = this.snapshot.findHolder(hash);
    if (holder) this.hashes.set(authorization, hash);
    else if (isWholeKey(read.token))
      throw tokenUnknown('This is an admin key. Stores have tokens of their own.');
    else if (!isWholeToken(read.token))
      throw tokenUnknown('This is not a whole token: it was cut off, or it is something else.');
    return holder;
  }

  private visitor(holder: Visitor, headers: IncomingHttpHeaders): Visitor {
    checkDomain(headers['x-client-domain'], holder.token.domain);
    this.uses.note(holder.token.id);
    return holder;
  }

  private subscriber({ client, token }: Visitor): Caller {
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) throw subscriptionInactive();
    return { client, token, subscription, plan: subscription.plan };
  }
}

/** Test tokens have a limit of their own, so that trials do not use up the limit of real orders. */
function accountOf({ client, token }: Visitor): number {
  return token.kind === 'test' ? -client.id : client.id;
}

/** The reason is only for a caller who knows the domain of the token too: a token may have been stolen. */
function tokenRefused(holder: Holder | undefined, headers: IncomingHttpHeaders): DomainError {
  const domain = headers['x-client-domain'];
  const isOwner = typeof domain === 'string' && normaliseDomain(domain) === holder?.token.domain;
  if (!holder || !isOwner) return tokenUnknown();
  if (holder.client.suspended) return tokenUnknown(SUSPENDED);
  return tokenUnknown(
    `This token ${holder.revoked ? 'was revoked' : 'has expired'}. Create a new one in the dashboard.`,
  );
}

function checkDomain(header: string | string[] | undefined, registered: string): void {
  if (header === registered) return;
  const domain = typeof header === 'string' ? normaliseDomain(header) : null;
  if (domain === null) {
    throw new DomainError(
      'domain_missing',
      'Send the domain your token is registered to as "X-Client-Domain".',
    );
  }
  if (domain !== registered) {
    const advice = /[:/]|\.$/.test(domain)
      ? ' Send the domain only, as it is registered: without a port, a path or a dot at its end.'
      : '';
    throw new DomainError('domain_mismatch', `This token is not registered to "${domain}".${advice}`, {
      facts: { compared_domain: domain },
    });
  }
}
