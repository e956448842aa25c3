import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { StoreRequest } from '../entities/store-request.entity.js';
import { readRequestCursor, writeRequestCursor } from './request-cursor.js';

export interface RequestFilter {
  /** Only those that were refused or failed. */
  failed?: boolean;
  /** Of those that were done it is empty. */
  code?: string;
  route?: string;
  requestId?: string;
  since?: Date;
}

export interface RequestPage {
  requests: StoreRequest[];
  /** Where the next page goes on, if there is one. */
  older?: string;
}

const PAGE = 50;

/** What a client's stores did, one by one: writes, and whatever was refused or failed. */
@Injectable()
export class RequestHistory {
  constructor(@InjectRepository(StoreRequest) private readonly requests: Repository<StoreRequest>) {}

  /** The newest that fit and come after the cursor. */
  async list(clientId: number, filter: RequestFilter, cursor?: string): Promise<RequestPage> {
    const { failed, code, route, requestId, since } = filter;
    const query = this.requests.createQueryBuilder('request').where({ clientId });
    // Written out, so that PostgreSQL sees that the index of those that failed has them all.
    if (failed) query.andWhere('request.status >= 400');
    if (code !== undefined) query.andWhere({ code });
    if (route !== undefined) query.andWhere({ route });
    if (requestId !== undefined) query.andWhere({ requestId });
    if (since !== undefined) query.andWhere('request.answeredAt >= :since', { since });
    if (cursor !== undefined)
      query.andWhere('(request.answeredAt, request.id) < (:answeredAt, :id)', readCursor(cursor));
    const found = await query
      .orderBy({ 'request.answeredAt': 'DESC', 'request.id': 'DESC' })
      .limit(PAGE + 1)
      .getMany();
    const requests = found.slice(0, PAGE);
    return { requests, ...(found.length > PAGE && { older: writeRequestCursor(requests.at(-1)!) }) };
  }

  /** By its number, not by its request id, of which there may be several. */
  async find(clientId: number, id: string): Promise<StoreRequest> {
    const request = /^\d{1,18}$/.test(id) ? await this.requests.findOneBy({ clientId, id }) : null;
    if (!request)
      throw new DomainError('request_not_found', 'There is no such request, or it is not kept any more.');
    return request;
  }
}

function readCursor(text: string) {
  const cursor = readRequestCursor(text);
  if (!cursor) throw new DomainError('invalid_value', 'This is no page of the list.');
  return cursor;
}
