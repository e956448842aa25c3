import { Injectable } from '@nestjs/common';
import { type ZipEntry, zipOf } from '../../../shared/pdf/zip.js';
import type { Minor } from '../../../platform/money/money.js';
import { addDays, addMonths, type Month, periodOf } from '../../../platform/time/time.js';
import { LedgerNamesService } from './ledger-names.service.js';
import { ledgerMessage, tallyFile, voucherMessage } from './tally.js';
import { type Ledger, type Voucher, voucherOfDocument, voucherOfMoney } from './voucher.js';
import { VouchersRepository } from './vouchers.repository.js';

/** The vouchers of one type in a month, and their amount on the clients' ledgers. */
export interface VoucherSum {
  type: Voucher['type'];
  vouchers: number;
  amount: Minor;
}

/** A month of the books for Tally: sales, notes, and money that came or went. */
@Injectable()
export class VouchersService {
  constructor(
    private readonly repository: VouchersRepository,
    private readonly ledgerNames: LedgerNamesService,
  ) {}

  async *month(month: Month): AsyncGenerator<Voucher> {
    const names = await this.ledgerNames.show();
    const days = { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
    for await (const row of this.repository.documents(days)) yield voucherOfDocument(row, names);
    for await (const row of this.repository.money(days)) yield voucherOfMoney(row, names);
  }

  async sums(month: Month): Promise<VoucherSum[]> {
    const sums = new Map<string, VoucherSum>();
    for await (const { type, entries } of this.month(month)) {
      const { vouchers, amount } = sums.get(type) ?? { vouchers: 0, amount: 0 };
      sums.set(type, { type, vouchers: vouchers + 1, amount: amount + entries[0]!.amount });
    }
    return [...sums.values()];
  }

  /** The ledgers come first by name, because vouchers need them. */
  async *files(month: Month): AsyncGenerator<ZipEntry> {
    yield { name: '1-ledgers.xml', content: tallyFile('All Masters', this.ledgers(month)) };
    yield { name: '2-vouchers.xml', content: tallyFile('Vouchers', this.messages(month)) };
  }

  zipOf(month: Month): AsyncIterable<Uint8Array> {
    return zipOf(this.files(month), periodOf(month, 'UTC').to);
  }

  private async *messages(month: Month): AsyncGenerator<string> {
    for await (const voucher of this.month(month)) yield voucherMessage(voucher);
  }

  /** A ledger without a group stands in Tally already. */
  private async *ledgers(month: Month): AsyncGenerator<string> {
    const ledgers = new Map<string, Ledger>();
    for await (const { entries } of this.month(month))
      for (const { ledger } of entries) if (ledger.group !== undefined) ledgers.set(ledger.name, ledger);
    for (const ledger of ledgers.values()) yield ledgerMessage(ledger);
  }
}
