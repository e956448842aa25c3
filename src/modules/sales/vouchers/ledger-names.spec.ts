import {
  formatLedgerNames,
  LEDGER_FIELDS,
  type LedgerNames,
  parseLedgerNames,
  readLedgerNames,
  salesLedgerName,
  STANDARD_NAMES,
} from './ledger-names.js';

const change = (names: Partial<LedgerNames>) => readLedgerNames(names, STANDARD_NAMES);

describe('The names of ledgers', () => {
  it('are those of the start, until others are set, and are stored as lines', () => {
    expect(parseLedgerNames('')).toEqual(STANDARD_NAMES);
    expect(formatLedgerNames(STANDARD_NAMES)).toBe('');
    const names = change({ bank: ' HDFC: 0123 ', sales: 'GST sales @ {rate}' });
    expect(names).toEqual({ ...STANDARD_NAMES, bank: 'HDFC: 0123', sales: 'GST sales @ {rate}' });
    const stored = formatLedgerNames(names);
    expect(stored).toBe('sales: GST sales @ {rate}\nbank: HDFC: 0123');
    expect(parseLedgerNames(stored)).toEqual(names);
    expect(change({})).toEqual(STANDARD_NAMES);
  });

  it('have one ledger of sales for each rate, or one for all', () => {
    expect(salesLedgerName(STANDARD_NAMES, 0.25)).toBe('Sales 0.25%');
    expect(salesLedgerName(change({ sales: 'Sales' }), 5)).toBe('Sales');
  });

  it.each<[Partial<LedgerNames>, string]>([
    [{ cgst: ' ' }, 'The ledger “CGST” must not be empty'],
    [{ cgst: 'x'.repeat(91) }, 'The ledger “CGST” must'],
    [{ cgst: 'A\u0007' }, 'The ledger “CGST” must be one line'],
    [{ cgst: '1-2' }, 'The ledger “CGST” must have a letter'],
    [{ sales: '{rate}%' }, 'The ledger “Sales with tax” must have a letter'],
    [{ cgst: 'CGST {rate}' }, 'The ledger “CGST” must not have {rate}'],
    [{ sales: '{rate} of {rate}' }, 'which sales with tax may have once'],
    [{ bank: 'cash' }, 'The ledger “Bank” must not be cash: Tally has that already'],
    [{ cash: 'Petty cash' }, ''],
    [{ cash: 'cash in hand' }, 'Tally has that already'],
    [{ cash: 'Petty cash', bank: 'Cash' }, 'must not be Cash: Tally has that already'],
    [{ bank: 'Profit and Loss' }, ''],
    [{ bank: 'profit & loss a/c' }, 'Tally has that already'],
    [{ bank: 'BankAccounts' }, 'Tally has that already'],
    [{ bank: 'Anaya (7)' }, 'must not end as the ledger of a client'],
    [{ bank: 'Bank (7) of Pune' }, ''],
    [{ bank: 'Anaya (7b)' }, ''],
    [{ cgst: 'Tax', sgst: 'tax.' }, 'Two ledgers would be one: CGST, SGST or UTGST.'],
    [{ bank: 'PAYMENT-GATEWAY' }, 'Two ledgers would be one: Payment gateway, Bank.'],
    [{ exempt: 'Sales 5' }, 'Two ledgers would be one: Sales with tax, Sales without tax.'],
    [{ exempt: 'Sales 0.25 %' }, 'Two ledgers would be one'],
    [{ exempt: 'Sales' }, ''],
    [{ exempt: 'Sales 5 exempt' }, ''],
    [{ exempt: '5 sales' }, ''],
    [{ sales: 'Sales', exempt: 'Sales 5' }, ''],
    [{ sales: 'Sales', exempt: 'SALES' }, 'Two ledgers would be one'],
    [{ sales: '{rate}% sales', exempt: '5 sales' }, 'Two ledgers would be one'],
    // Marks of Indian scripts are letters too.
    [{ cgst: 'की', sgst: 'का' }, ''],
  ])('%j: %s', (names, fault) => {
    const read = () => change(names);
    if (fault === '') expect(read()).toMatchObject(names);
    else expect(read).toThrow(fault);
  });

  it('name the fields of all faults at once', () => {
    const fields = (names: Partial<LedgerNames>) => {
      try {
        change(names);
      } catch (error) {
        return (error as { errors: { field: string }[] }).errors.map(({ field }) => field);
      }
      return [];
    };
    expect(fields({ cgst: '', bank: 'Cash' })).toEqual(['cgst', 'bank']);
    expect(fields({ cgst: 'SGST' })).toEqual(['cgst', 'sgst']);
    expect(Object.keys(LEDGER_FIELDS)).toHaveLength(11);
  });
});
