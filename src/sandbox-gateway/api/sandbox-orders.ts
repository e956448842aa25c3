import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { numericFromMinor } from '../../platform/money/money.js';
import { SandboxOrder } from '../entities/sandbox-order.entity.js';
import { newId } from '../new-id.js';
import type { OrderState } from '../protocol.js';
import { stateOfOrder } from '../state-of-order.js';
import type { OrderToOpen } from './order-request.js';

@Injectable()
export class SandboxOrders {
  constructor(private readonly database: Database) {}

  open({ amount, currency, receipt }: OrderToOpen): Promise<OrderState> {
    return this.database.transaction(async ({ manager }) => {
      const id = newId('order');
      await manager.insert(SandboxOrder, { id, amount: numericFromMinor(amount), currency, receipt });
      return stateOfOrder(manager, id);
    });
  }

  find(id: string): Promise<OrderState> {
    return this.database.transaction(({ manager }) => stateOfOrder(manager, id));
  }
}
