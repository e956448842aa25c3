import { allocateRefund } from './refund-voucher.js';

const receipt = (number: string, unreturned: number) => ({ number, issued_on: '2026-11-01', unreturned });

describe('A refund of an advance', () => {
  it.each([
    [500, [['RV-2', 500]]],
    [700, [['RV-2', 700]]],
    [
      701,
      [
        ['RV-2', 700],
        ['RV-1', 1],
      ],
    ],
    [
      5_000,
      [
        ['RV-2', 700],
        ['RV-1', 1_000],
      ],
    ],
    [0, []],
  ])('of %d returns receipts in their order, and never more than they are', (amount, returns) => {
    const receipts = [receipt('RV-2', 700), receipt('RV-1', 1_000)];
    expect(allocateRefund(amount, receipts)).toEqual(
      returns.map(([number, part]) => ({ number, issued_on: '2026-11-01', amount: part })),
    );
    expect(allocateRefund(amount, [])).toEqual([]);
  });
});
