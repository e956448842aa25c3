import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { TransferStatus } from './rules/payment-status.js';

export interface TransferRow {
  transfer_id: number;
  client_id: number;
  client: string;
  amount: number;
  /** The amount that came, if it differs from the report. */
  received: number | null;
  /** The tax that the client deducted. */
  tds: number;
  utr: string;
  /** The account holder, as the client reports it. */
  payer: string | null;
  status: TransferStatus;
  announced_at: Date;
  announced_by: string;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
  /** The payer on the wholesaler's bank statement. */
  received_from: string | null;
  /** Transfers of other clients with the same UTR. */
  other_claims: number[];
}

export interface TransferFilter {
  status?: TransferStatus;
  clientId?: number;
  /** Only transfers whose UTR has this part. */
  utr?: string;
  /** Only transfers that were announced before this one. */
  before?: number;
}

/** SQL, because a cursor streams it. */
const LIST = `
  SELECT transfer_id, client_id, c.name AS client, amount::float8, received::float8, tds::float8,
         utr, payer, status, announced_at, announced_by, decided_at, decided_by, reason, received_from,
         ARRAY(SELECT o.transfer_id FROM bank_transfers o
                WHERE o.utr = t.utr AND o.client_id <> t.client_id AND o.status IN ('announced', 'confirmed')
                ORDER BY o.transfer_id) AS other_claims
    FROM bank_transfers t
    JOIN clients c ON c.id = t.client_id
   WHERE ($1::text IS NULL OR status = $1) AND ($2::int IS NULL OR client_id = $2)
     AND ($3::int IS NULL OR transfer_id = $3) AND ($4::int IS NULL OR transfer_id < $4)
     AND ($5::text IS NULL OR strpos(t.utr, upper($5)) > 0)
   ORDER BY t.transfer_id DESC`;

@Injectable()
export class TransferListRepository {
  constructor(private readonly database: Database) {}

  list(filter: TransferFilter, limit?: number): AsyncGenerator<TransferRow, number> {
    return this.database.stream<TransferRow>(LIST, valuesOf(filter), limit);
  }

  newest(filter: TransferFilter, limit: number): Promise<TransferRow[]> {
    return this.database.query<TransferRow>({ text: `${LIST} LIMIT $6` }, [...valuesOf(filter), limit]);
  }

  async find(id: number): Promise<TransferRow | undefined> {
    const [transfer] = await this.database.query<TransferRow>({ text: LIST }, valuesOf({}, id));
    return transfer;
  }
}

function valuesOf({ status, clientId, utr, before }: TransferFilter, id?: number): unknown[] {
  return [status, clientId, id, before, utr].map((value) => value ?? null);
}
