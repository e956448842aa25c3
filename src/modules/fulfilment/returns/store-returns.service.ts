import { Inject, Injectable } from '@nestjs/common';
import { STORE } from '../../orders/actions/order-action.js';
import { toReturn } from '../../orders/records/order-for-store.js';
import { OrdersService } from '../../orders/orders.service.js';
import type { LineQuantity } from '../../orders/rules/order-units.js';
import { isSameReturn, type ReturnInput } from '../../orders/rules/return-request.js';
import { type AddReturnResult, TestOrders } from '../../orders/store-orders.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { Visitor } from '../../../read-model/callers/caller.js';
import { OrderReturnsService } from './order-returns.service.js';
import type { ReturnRequestedResponse, StoreReturnRequest } from './store-return.dto.js';

/** Returns that stores ask for by the API, with the rules of the dashboard's form. */
@Injectable()
export class StoreReturnsService {
  constructor(
    private readonly orders: OrdersService,
    private readonly tests: TestOrders,
    private readonly returns: OrderReturnsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async request(
    caller: Visitor,
    number: string,
    { store_return_id: storeReturnId, lines, reason, note }: StoreReturnRequest,
  ): Promise<{ answer: ReturnRequestedResponse; isReplay: boolean }> {
    if (!this.settings.returnsByApi)
      throw new DomainError(
        'returns_in_dashboard',
        'Ask for returns in the dashboard, on the page of the order.',
      );
    const input = { lines, reason, note, storeReturnId };
    const adding =
      caller.token.kind === 'test'
        ? this.tests.addReturn(caller, number, input)
        : this.add(caller, number, input);
    const { orderNumber, returned, isNew } = await adding.catch((error: unknown) =>
      throwStoreError(error, lines),
    );
    if (!isSameReturn(returned, input)) throw duplicateReturn(returned.number);
    const answer = { success: true, order_number: orderNumber, data: toReturn(returned) } as const;
    return { answer, isReplay: !isNew };
  }

  private async add(caller: Visitor, number: string, input: ReturnInput): Promise<AddReturnResult> {
    const key = await this.orders.findKey(caller, number);
    const returned = await this.returns.addTo(key, input, STORE);
    return { orderNumber: key.orderNumber, returned, isNew: returned.is_new };
  }
}

/** Translates errors of the rules, which are for people, into codes for stores. */
function throwStoreError(error: unknown, lines: readonly LineQuantity[]): never {
  if (error instanceof DomainError && error.code === 'conflict')
    throw new DomainError('not_returnable', error.message, { cause: error });
  if (error instanceof DomainError && error.code === 'invalid_value')
    throw validationFailed([{ field: fieldOf(error, lines), code: 'unknown_value', message: error.message }]);
  throw error;
}

/** The last entry of that line: of two, the second is too many. */
function fieldOf({ facts }: DomainError, lines: readonly LineQuantity[]): string {
  const index = lines.findLastIndex(({ line }) => line === facts.line);
  return index < 0 ? 'lines' : `lines[${index}].line`;
}

function duplicateReturn(number: string): DomainError {
  return new DomainError(
    'duplicate_return',
    `The order has a return with this store_return_id: ${number}. Its content differs from this request.`,
    { facts: { return_number: number } },
  );
}
