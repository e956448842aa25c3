import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Standing } from '../rules/unpaid-limits.js';
import { StandingRepository } from './standing.repository.js';

/** What a client has ordered and not paid yet, and how much of it there may be. */
@Injectable()
export class UnpaidOverview {
  constructor(
    private readonly database: Database,
    private readonly standing: StandingRepository,
  ) {}

  of(clientId: number): Promise<Standing> {
    return this.standing.find(this.database, clientId);
  }
}
