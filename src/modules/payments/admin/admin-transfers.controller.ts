import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { renameFaults } from '../../../platform/errors/rename-faults.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readPagePosition } from '../../../platform/http/page-cursor.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { BankTransfersService, findTransferId, readTransferId } from '../bank-transfers.service.js';
import {
  AnnounceTransferRequest,
  ConfirmTransferRequest,
  RefuseTransferRequest,
  TransferResponse,
  TransfersQuery,
} from './transfers.dto.js';

const TRANSFER_ID = { name: 'id', description: 'The number of the transfer.', example: '12' };

/** Money that clients have sent by bank. Compare it with your bank statement. */
@ApiTags('Transfers')
@Controller('api/admin/transfers')
export class AdminTransfersController {
  constructor(
    private readonly transfers: BankTransfersService,
    private readonly clients: ClientFinderService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('money'),
    operationId: 'listTransfers',
    summary: 'Lists bank transfers, the newest first.',
    answer: { list: TransferResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'transfer list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, client, ...filter }: TransfersQuery) {
    const before = readPagePosition(after, findTransferId);
    const clientId = await this.clients.findForFilter(client);
    const rows = await this.transfers.newest({ ...filter, clientId, before }, limit + 1);
    return pageOf(
      rows,
      limit,
      (row) => row,
      (row) => String(row.transfer_id),
    );
  }

  @AdminRoute({
    method: 'POST',
    role: roleToOpen('money/transfers'),
    operationId: 'announceTransfer',
    summary: 'Records that a client has sent money by bank, by cheque or in cash.',
    description: 'The money is in the wallet when you confirm it.',
    body: { type: AnnounceTransferRequest },
    isOnce: true,
    answer: { data: TransferResponse, status: 201 },
    errors: ['client_not_found', 'client_ambiguous', 'conflict'],
    command: 'transfer announce',
    commandArguments: ['client', 'amount', 'utr'],
  })
  async announce(@Actor() by: string, @CheckedBody() body: AnnounceTransferRequest) {
    const { client, amount: sent, utr, kind = '', tds = '', payer = '' } = body;
    const clientId = await this.clients.findExisting(client);
    const announced = this.transfers.announceFor(clientId, { sent, utr, kind, tds, payer }, by);
    return answerWith(await renameFaults({ sent: 'amount' }, announced));
  }

  @AdminRoute({
    method: 'POST',
    path: ':id/confirm',
    role: roleToOpen('money/transfers/:id/confirm'),
    operationId: 'confirmTransfer',
    summary: 'Records that a transfer has arrived. The money goes to the wallet.',
    parameters: [TRANSFER_ID],
    body: { type: ConfirmTransferRequest },
    answer: { data: TransferResponse },
    errors: ['transfer_not_found', 'conflict'],
    command: 'transfer confirm',
  })
  async confirm(
    @Param('id') id: string,
    @Actor() by: string,
    @CheckedBody() { reason: difference, force, ...arrival }: ConfirmTransferRequest,
  ) {
    const accepted = { ...arrival, difference, acceptedUses: force ? ('any' as const) : undefined };
    const confirmed = this.transfers.confirm(readTransferId(id), by, accepted);
    return answerWith(await renameFaults({ difference: 'reason' }, confirmed));
  }

  @AdminRoute({
    method: 'POST',
    path: ':id/refuse',
    role: roleToOpen('money/transfers/:id/refuse'),
    operationId: 'refuseTransfer',
    summary: 'Records that a transfer has not arrived, or differs from the report.',
    parameters: [TRANSFER_ID],
    body: { type: RefuseTransferRequest },
    answer: { data: TransferResponse },
    errors: ['transfer_not_found', 'conflict'],
    command: 'transfer refuse',
  })
  async refuse(
    @Param('id') id: string,
    @Actor() by: string,
    @CheckedBody() { reason }: RefuseTransferRequest,
  ) {
    return answerWith(await this.transfers.refuse(readTransferId(id), reason, by));
  }
}
