import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';

/** For how long an answer of the database is passed on. Balancers ask every few seconds, and anybody may ask. */
const PASSED_ON_MS = 1_000;

/** Whether this node may be sent requests: its database answers, its schema is there, and it is not about to stop. */
@Injectable()
export class Readiness {
  private stopping = false;
  private answer: Promise<unknown> | undefined;

  constructor(private readonly database: Database) {}

  /** From now on balancers are told to go elsewhere. */
  stop(): void {
    this.stopping = true;
  }

  async check(): Promise<void> {
    if (this.stopping) {
      throw new DomainError('unavailable', 'This node is shutting down.', { retryAfterSeconds: 1 });
    }
    await (this.answer ??= this.ask());
  }

  /** One question at a time, and one in a while, whoever asks and however many. */
  private ask(): Promise<unknown> {
    return this.database.ping().finally(() => {
      setTimeout(() => (this.answer = undefined), PASSED_ON_MS).unref();
    });
  }
}
