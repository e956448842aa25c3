import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { Database } from '../platform/database/database.js';
import type { Webhook } from './protocol.js';
import { unknownId } from './refusal.js';
import { keyUsed, orderIdOf, type SandboxOrder } from './sandbox-order.js';

/** The credentials of the service at the sandbox. The migration generated them. */
export interface SandboxKeys {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

/** One row for each order, one for each key of a refund, and one for the credentials. */
@Entity('sandbox')
export class SandboxRow {
  @PrimaryColumn('text')
  id: string;

  @Column('jsonb')
  state: object;
}

@Injectable()
export class SandboxStore {
  private cachedKeys: Promise<SandboxKeys> | undefined;

  constructor(private readonly database: Database) {}

  /** They never change, so they are read once. */
  keys(): Promise<SandboxKeys> {
    this.cachedKeys ??= this.database
      .transaction(({ manager }) => manager.findOneByOrFail(SandboxRow, { id: 'keys' }))
      .then(({ state }) => state as SandboxKeys);
    this.cachedKeys.catch(() => (this.cachedKeys = undefined));
    return this.cachedKeys;
  }

  async add(state: SandboxOrder): Promise<SandboxOrder> {
    await this.database.transaction(({ manager }) =>
      manager.insert(SandboxRow, { id: state.order.id, state }),
    );
    return state;
  }

  /** Takes the id of the order, of one of its payments or of one of its refunds. */
  find(id: string): Promise<SandboxOrder> {
    return this.database.transaction(({ manager }) => read(manager, orderIdOf(id)));
  }

  /** By the id of the order itself. */
  async findOrder(id: string): Promise<SandboxOrder> {
    const state = await this.find(id);
    if (state.order.id !== id) throw unknownId();
    return state;
  }

  /**
   * Changes an order, and gives the events to send. Changes of one order take turns: each locks its row. A
   * key of a refund belongs to one order.
   */
  change<Result>(
    id: string,
    change: (state: SandboxOrder) => Result,
    key?: string,
  ): Promise<{ result: Result; webhooks: Webhook[] }> {
    const orderId = orderIdOf(id);
    return this.database.transaction(async ({ manager }) => {
      const state = await read(manager, orderId, { mode: 'pessimistic_write' });
      if (key !== undefined) await takeKey(manager, key, orderId);
      const result = change(state);
      const { webhooks } = state;
      await manager.update(SandboxRow, { id: orderId }, { state: { ...state, webhooks: [] } });
      return { result, webhooks };
    });
  }
}

async function read(
  manager: EntityManager,
  id: string,
  lock?: { mode: 'pessimistic_write' },
): Promise<SandboxOrder> {
  const row = await manager.findOne(SandboxRow, { where: { id }, lock });
  if (!row) throw unknownId();
  return row.state as SandboxOrder;
}

async function takeKey(manager: EntityManager, key: string, orderId: string): Promise<void> {
  const row = { id: `key_${key}`, state: { orderId } };
  await manager.createQueryBuilder().insert().into(SandboxRow).values(row).orIgnore().execute();
  const { state } = await manager.findOneByOrFail(SandboxRow, { id: row.id });
  if ((state as { orderId: string }).orderId !== orderId) throw keyUsed();
}
