import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../platform/errors/domain-error.js';
import { OwnAddress } from '../platform/http/own-address.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses forms from other sites, because browsers send our cookie with them. Current browsers send `Sec-Fetch-Site`,
 * older ones `Origin`. A request with neither is refused.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly own: OwnAddress) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (READS.has(request.method) || this.isOurs(request)) return true;
    throw new DomainError(
      'foreign_form',
      'This was not sent from a page of ours. Open the page and try again.',
    );
  }

  private isOurs({ headers }: Request): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    const { origin, host } = headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    return origin === this.own.publicUrl || new URL(origin).host === host;
  }
}
