import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';

const PING = { name: 'ping', text: 'SELECT 1' };

/** Whether this node may be sent requests: its database answers and it is not about to stop. */
@Injectable()
export class Readiness {
  private stopping = false;

  constructor(private readonly database: Database) {}

  /** From now on balancers are told to go elsewhere. */
  stop(): void {
    this.stopping = true;
  }

  async check(): Promise<void> {
    if (this.stopping) {
      throw new DomainError('unavailable', 'This node is shutting down.', { retryAfterSeconds: 1 });
    }
    await this.database.query(PING, []);
  }
}
