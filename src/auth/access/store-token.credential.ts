import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AccessRule } from '../../platform/access/access-rule.js';
import type { Credential } from '../../platform/access/credential.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { RateLimiter, Spent } from '../../platform/rate-limit/rate-limiter.js';
import { type Caller, type Holder, isAdmitted, type Visitor } from '../../read-model/access/caller.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { subscriptionInactive } from './subscription-inactive.js';
import { tokenUnknown } from './token-unknown.js';
import { normaliseDomain } from '../tokens/domain.js';
import { readAuthorization } from '../tokens/authorization-header.js';
import { hashToken } from '../tokens/token-secret.js';
import { TokenHashes } from './token-hashes.js';
import { TokenUses } from '../tokens/token-uses.js';

type StoreTokenRule = Extract<AccessRule, { credential: 'store token' }>;

/** A store's token: checked itself, then its domain, then the subscription, all from the snapshot. */
@Injectable()
export class StoreTokenCredential implements Credential<StoreTokenRule> {
  private readonly hashes = new TokenHashes();

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly limiter: RateLimiter,
    private readonly uses: TokenUses,
  ) {}

  /** The limit comes right after the token, which says whose it is. */
  admit(
    request: ApiRequest,
    response: TimedResponse,
    { subscription }: StoreTokenRule,
  ): void | Promise<void> {
    const holder = this.holder(request.headers);
    if (holder) request.holder = holder;
    if (!holder || !isAdmitted(holder, Date.now())) throw tokenUnknown();
    const goOn = (spent: Spent) => {
      request.spending = spent;
      const visitor = this.visitor(holder, request.headers);
      request.caller = subscription === 'required' ? this.subscriber(visitor) : visitor;
    };
    const spent = this.limiter.spend(holder.client.id, response);
    return spent instanceof Spent ? goOn(spent) : spent.then(goOn);
  }

  /** Whose token it is, or was. */
  private holder({ authorization }: IncomingHttpHeaders): Holder | undefined {
    if (!authorization?.trim()) {
      throw new DomainError('token_missing', 'Send your API token as "Authorization: Bearer <token>".');
    }
    const known = this.hashes.find(authorization, this.snapshot.accessBook);
    const hash = known ?? hashOf(authorization);
    // Looking up the hash takes as long for a near miss as for any other guess.
    const holder = this.snapshot.findHolder(hash);
    if (holder && known === undefined) this.hashes.keep(authorization, hash);
    return holder;
  }

  /** Asks for the domain that goes with the token. */
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

function hashOf(authorization: string): string {
  const read = readAuthorization(authorization);
  if ('fault' in read)
    throw new DomainError('token_invalid', `${read.fault}: the header is "Authorization: Bearer <token>".`);
  return hashToken(read.token);
}

function checkDomain(header: string | string[] | undefined, registered: string): void {
  const domain = typeof header === 'string' ? normaliseDomain(header) : null;
  if (domain === null) {
    throw new DomainError(
      'domain_missing',
      'Send the domain your token is registered to as "X-Client-Domain".',
    );
  }
  if (domain !== registered) {
    throw new DomainError('domain_mismatch', `This token is not registered to "${domain}".`, {
      facts: { compared_domain: domain },
    });
  }
}
