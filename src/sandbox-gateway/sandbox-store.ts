import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, Index, LessThanOrEqual, PrimaryColumn } from 'typeorm';
import { Database } from '../platform/database/database.js';
import type { Webhook } from './protocol.js';
import { unknownId } from './refusal.js';
import { orderIdOf, type SandboxOrder } from './sandbox-order.js';

/** The credentials of the service at the sandbox. The migration generated them. */
export interface SandboxKeys {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

const KEYS = 'keys';

/** One row for each order, and one for the keys. */
@Entity('sandbox')
@Index('sandbox_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class SandboxRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sandbox_pk' })
  id: string;

  @Column('jsonb')
  state: object;

  /** The time at which the next webhook is due. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;
}

export interface TakenWebhook extends Webhook {
  orderId: string;
}

@Injectable()
export class SandboxStore {
  private known: Promise<SandboxKeys> | undefined;

  constructor(private readonly database: Database) {}

  /** Keys never change, so they are read once. */
  keys(): Promise<SandboxKeys> {
    this.known ??= this.database
      .transaction(({ manager }) => manager.findOneByOrFail(SandboxRow, { id: KEYS }))
      .then(({ state }) => state as SandboxKeys);
    this.known.catch(() => (this.known = undefined));
    return this.known;
  }

  async add(state: SandboxOrder): Promise<SandboxOrder> {
    await this.database.transaction(({ manager }) =>
      manager.insert(SandboxRow, { id: state.order.id, state }),
    );
    return state;
  }

  /** Takes the id of the order, of one of its payments or of one of its refunds. */
  async find(id: string): Promise<SandboxOrder> {
    const orderId = orderIdOf(id);
    const row = await this.database.transaction(({ manager }) =>
      manager.findOneBy(SandboxRow, { id: orderId }),
    );
    if (!row) throw unknownId();
    return row.state as SandboxOrder;
  }

  /** By the id of the order itself. */
  async findOrder(id: string): Promise<SandboxOrder> {
    const state = await this.find(id);
    if (state.order.id !== id) throw unknownId();
    return state;
  }

  /** Changes of one order take turns: each locks its row. */
  change<Result>(id: string, change: (state: SandboxOrder) => Result): Promise<Result> {
    const orderId = orderIdOf(id);
    return this.database.transaction(async ({ manager }) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await manager.findOne(SandboxRow, { where: { id: orderId }, lock });
      if (!row) throw unknownId();
      const result = change(row.state as SandboxOrder);
      await save(manager, row);
      return result;
    });
  }

  /**
   * Takes one webhook that is due. It becomes due again later, in case this node stops before it was sent.
   */
  takeWebhook(nextAttemptMs: (attempts: number) => number): Promise<TakenWebhook | undefined> {
    return this.database.transaction(async ({ manager }) => {
      const row = await manager.findOne(SandboxRow, {
        where: { dueAt: LessThanOrEqual(new Date()) },
        order: { dueAt: 'ASC' },
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      const webhook = row && (row.state as SandboxOrder).webhooks.find(({ dueAt }) => dueAt <= Date.now());
      if (!webhook) return undefined;
      webhook.attempts++;
      webhook.dueAt = Date.now() + nextAttemptMs(webhook.attempts);
      await save(manager, row);
      return { ...webhook, orderId: row.id };
    });
  }
}

async function save(manager: EntityManager, { id, state }: SandboxRow): Promise<void> {
  const { webhooks } = state as SandboxOrder;
  const dueAt = webhooks.length > 0 ? new Date(Math.min(...webhooks.map((webhook) => webhook.dueAt))) : null;
  await manager.update(SandboxRow, { id }, { state, dueAt });
}
