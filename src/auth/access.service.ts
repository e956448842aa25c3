import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import type { Caller, Visitor } from './caller.js';
import { normaliseDomain } from './domain.js';
import { TokenUses } from './token-uses.js';

const BEARER = /^Bearer +(\S+) *$/i;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

/** The access check: token, then domain, then subscription, all from the snapshot. */
@Injectable()
export class AccessService {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly uses: TokenUses,
  ) {}

  /** Whose token it is, before anything else was checked. */
  holder({ authorization }: IncomingHttpHeaders): Visitor {
    if (!authorization?.trim()) {
      throw new ApiError('token_missing', 'Send your API token as "Authorization: Bearer <token>".', {
        headers: CHALLENGE,
      });
    }
    const secret = BEARER.exec(authorization)?.[1];
    // Looking up the hash takes as long for a near miss as for any other guess.
    const found = secret && this.snapshot.findToken(hash('sha256', secret, 'base64'));
    if (!found) {
      throw new ApiError(
        'token_invalid',
        'This token is unknown, was revoked, or belongs to a suspended client.',
        {
          headers: CHALLENGE,
        },
      );
    }
    return found;
  }

  /** Asks for the domain that goes with the token. */
  visitor(holder: Visitor, headers: IncomingHttpHeaders): Visitor {
    checkDomain(headers['x-client-domain'], holder.token.domain);
    this.uses.note(holder.token.id);
    return holder;
  }

  /** Asks for domain and subscription. */
  caller(holder: Visitor, headers: IncomingHttpHeaders): Caller {
    const { client, token } = this.visitor(holder, headers);
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) {
      throw new ApiError(
        'subscription_inactive',
        'There is no active subscription. See GET /api/plan for its dates.',
      );
    }
    return { client, token, subscription, plan: subscription.plan };
  }
}

function checkDomain(header: string | string[] | undefined, registered: string): void {
  const domain = typeof header === 'string' ? normaliseDomain(header) : null;
  if (domain === null) {
    throw new ApiError('domain_missing', 'Send the domain your token is registered to as "X-Client-Domain".');
  }
  if (domain !== registered) {
    throw new ApiError('domain_mismatch', `This token is not registered to "${domain}".`, {
      facts: { compared_domain: domain },
    });
  }
}
