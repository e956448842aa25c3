import { isReversed, presetsOn } from '../../../pages/components/period-fields.js';
import { ordersPath, readOrdersQuery } from './orders-query.js';

const chosen = (query: Record<string, string>) => readOrdersQuery(query).chosen;

describe('The query of the list of orders', () => {
  it.each([
    ['2026-11-23', 'a Monday', '2026-11-23', '2026-11-01'],
    ['2026-11-22', 'a Sunday', '2026-11-16', '2026-11-01'],
    ['2027-01-01', 'a Friday', '2026-12-28', '2027-01-01'],
  ])('offers on %s, %s, the week since %s and the month since %s', (today, _, monday, first) => {
    expect(presetsOn(today).map(({ from, to }) => [from, to])).toEqual([
      [today, today],
      [monday, today],
      [first, today],
    ]);
  });

  it('is wrong if the first day is later than the last one', () => {
    expect(isReversed(chosen({ from: '2026-11-20', to: '2026-11-19' }))).toBe(true);
    expect(isReversed(chosen({ from: '2026-11-20', to: '2026-11-20' }))).toBe(false);
    expect(isReversed(chosen({ from: '2026-11-20' }))).toBe(false);
  });

  it('names its sort in the address, except the usual one', () => {
    expect(chosen({ sort: 'highest' })).toEqual({ sort: 'highest' });
    for (const sort of ['newest', 'dearest', '']) expect(chosen({ sort })).toEqual({});
    expect(ordersPath({ sort: 'lowest', group: 'paid' })).toBe('/dashboard/orders?group=paid&sort=lowest');
    expect(ordersPath({ sort: 'newest' })).toBe('/dashboard/orders');
  });

  it('sorts a search by date only', () => {
    expect(chosen({ sort: 'highest', search: 'ravi' })).toEqual({ search: 'ravi' });
    expect(chosen({ sort: 'oldest', search: 'ravi' })).toEqual({ sort: 'oldest', search: 'ravi' });
    expect(chosen({ sort: 'highest', search: ' ' })).toEqual({ sort: 'highest' });
  });
});
