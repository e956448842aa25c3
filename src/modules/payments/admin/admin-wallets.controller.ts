import { Controller, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { LOG_DIGITS, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { amountFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readPeriodOf } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { CLIENT, ClientParam } from '../../clients/admin/client-param.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { pay } from '../../orders/actions/order-actions.js';
import { AdminOrderResponse } from '../../orders/admin/admin-order.response.js';
import { AutoPayService } from '../../orders/auto-pay/auto-pay.service.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { Passbook } from '../../wallet/passbook.repository.js';
import type { WalletEntry } from '../../wallet/wallet.entity.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { BankTransfersService } from '../bank-transfers.service.js';
import {
  AdjustWalletRequest,
  AutoPayResponse,
  ChangeAutoPayRequest,
  PayFromWalletsRequest,
  PayOutRequest,
  WalletEntriesQuery,
  WalletEntryResponse,
  WalletResponse,
} from './wallets.dto.js';

const WALLET = 'clients/:id/wallet';

/** A route below the wallet of a client. It has the role of the desk's page. */
const OnWallet = (route: Omit<Parameters<typeof AdminRoute>[0], 'role' | 'parameters'>) =>
  AdminRoute({
    ...route,
    role: roleToOpen(route.method === 'GET' ? WALLET : route.path!),
    parameters: [CLIENT],
    errors: ['client_not_found', 'client_ambiguous', ...(route.errors ?? [])],
  });

/** The money of the clients. */
@ApiTags('Wallets')
@Controller('api/admin')
export class AdminWalletsController {
  constructor(
    private readonly wallets: WalletService,
    private readonly passbook: Passbook,
    private readonly transfers: BankTransfersService,
    private readonly autoPay: AutoPayService,
    private readonly orders: OrderDeskService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @OnWallet({
    method: 'GET',
    path: WALLET,
    operationId: 'getWallet',
    summary: 'Shows the balance of a client.',
    answer: { data: WalletResponse },
    command: 'wallet show',
  })
  async show(@ClientParam() id: number) {
    return answerWith(await this.wallets.show(id));
  }

  @OnWallet({
    method: 'GET',
    path: `${WALLET}/entries`,
    operationId: 'listWalletEntries',
    summary: 'Lists the entries of a wallet, the newest first.',
    answer: { list: WalletEntryResponse },
    command: 'wallet history',
  })
  async entries(
    @ClientParam() id: number,
    @ValidQuery() { after, limit = DEFAULT_LIMIT, kind, ...query }: WalletEntriesQuery,
  ) {
    const before = readNumberCursor(after, LOG_DIGITS);
    const filter = { ...(kind && { kind }), ...readPeriodOf(query, this.settings.timeZone) };
    const rows = await this.passbook.newestEntries(id, filter, before, limit + 1);
    return pageOf(rows, limit, toWalletEntry, ({ entry }) => entry);
  }

  @OnWallet({
    method: 'POST',
    path: `${WALLET}/adjust`,
    operationId: 'adjustWallet',
    summary: 'Corrects a wallet by hand.',
    body: { type: AdjustWalletRequest },
    isOnce: true,
    answer: { data: WalletResponse, description: 'The wallet after it.' },
    errors: ['conflict', 'insufficient_balance'],
    command: 'wallet adjust',
    commandArguments: ['amount'],
  })
  async adjust(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { amount, reason, force }: AdjustWalletRequest,
  ) {
    const form = { acceptedUses: force ? ('any' as const) : undefined };
    return answerWith(await this.wallets.adjust(id, amount, reason, by, form));
  }

  @OnWallet({
    method: 'POST',
    path: `${WALLET}/pay-out`,
    operationId: 'payOutWallet',
    summary: 'Records money of a wallet that you sent to the bank account of the client.',
    body: { type: PayOutRequest },
    isOnce: true,
    answer: { data: WalletResponse, description: 'The wallet after it.' },
    errors: ['conflict', 'insufficient_balance'],
    command: 'wallet pay-out',
    commandArguments: ['amount'],
  })
  async payOut(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { date = '', bank = '', ...form }: PayOutRequest,
  ) {
    return answerWith(await this.transfers.payOut(id, { ...form, date, bank }, by));
  }

  @OnWallet({
    method: 'POST',
    path: `${WALLET}/auto-pay`,
    operationId: 'changeAutoPay',
    summary: 'Shows or changes the automatic payment of new orders from the wallet of a client.',
    description: 'What you leave out stays. Without any field it only answers the setting.',
    body: { type: ChangeAutoPayRequest },
    answer: { data: AutoPayResponse },
    command: 'wallet auto-pay',
  })
  async changeAutoPay(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { enabled, order_cap: orderCap, day_cap: dayCap }: ChangeAutoPayRequest,
  ) {
    const isChange = [enabled, orderCap, dayCap].some((value) => value !== undefined);
    const view = isChange ? this.autoPay.set(id, { enabled, orderCap, dayCap }, by) : this.autoPay.show(id);
    return answerWith(await view);
  }

  @AdminRoute({
    method: 'POST',
    path: 'wallet-payments',
    role: pay.role,
    operationId: 'payFromWallets',
    summary: 'Pays orders from the wallets of their clients: all of them, or none.',
    body: { type: PayFromWalletsRequest },
    answer: { rows: AdminOrderResponse, description: 'The orders after it.' },
    errors: [
      'client_not_found',
      'client_ambiguous',
      'order_not_found',
      'order_ambiguous',
      'illegal_transition',
      'insufficient_balance',
      'payment_underway',
      'conflict',
    ],
    command: 'wallet pay',
    commandArguments: ['orders'],
  })
  async pay(@Actor() by: string, @CheckedBody() { orders, client, consent }: PayFromWalletsRequest) {
    const clientId = await this.clients.findForFilter(client);
    const numbers: string[] = [];
    for (const typed of orders) numbers.push(await this.orders.numberOf(typed, clientId));
    return answerWith(await this.orders.payFromWallet(numbers, by, consent));
  }
}

const toWalletEntry = ({ entry, amount, balanceAfter, ...row }: WalletEntry) => ({
  entry: Number(entry),
  created_at: row.createdAt,
  kind: row.kind,
  against: row.against,
  amount: amountFromNumeric(amount),
  balance_after: amountFromNumeric(balanceAfter),
  order_number: row.orderNumber,
  payment_id: row.paymentId,
  actor: row.actor,
  note: row.note,
});
