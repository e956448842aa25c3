import { Allotment, spread } from './allotment.js';

describe('An amount', () => {
  it.each([
    [100, [1, 1], [50, 50]],
    [100, [1, 1, 1], [34, 33, 33]],
    [101, [1, 3], [25, 76]],
    [10, [0, 5], [0, 10]],
    [0, [3, 5], [0, 0]],
    [0, [0, 0], [0, 0]],
    [5, [1, 2, 4], [1, 1, 3]],
  ])('of %d is shared over %j as %j, the largest remainders first', (amount, capacities, shares) =>
    expect(spread(amount, capacities)).toEqual(shares),
  );
});

describe('An allotment', () => {
  const items = [
    { line: 1, name: 'a' },
    { line: 2, name: 'b' },
    { line: 2, name: 'c' },
  ];
  const allotmentOf = (left: number, capacities: readonly number[]) => {
    const allotment = new Allotment(items, left);
    allotment.setCapacities((item) => capacities[items.indexOf(item)]!);
    return allotment;
  };
  const amountsOf = (allotment: Allotment<(typeof items)[number]>) =>
    Object.fromEntries(allotment.amounts().map(({ item: { name }, amount }) => [name, amount]));

  it('gives a line what its items have room for, in their order, and returns the rest', () => {
    const allotment = allotmentOf(1_000, [100, 200, 300]);
    expect(allotment.allot(2, 400)).toBe(0);
    expect(allotment.allottedTo(2)).toBe(400);
    expect(allotment.allot(2, 400)).toBe(300);
    expect(allotment.allottedTo(2)).toBe(500);
    expect(allotment.allot(3, 50)).toBe(50);
    expect(allotment.allottedTo(3)).toBe(0);
    expect(amountsOf(allotment)).toEqual({ b: 200, c: 300 });
  });

  it('gives no more than the room that later capacities leave', () => {
    const allotment = allotmentOf(1_000, [100, 0, 0]);
    expect(allotment.allot(1, 100)).toBe(0);
    allotment.setCapacities(() => 150);
    expect(allotment.allot(1, 500)).toBe(450);
    allotment.spread();
    expect(amountsOf(allotment)).toEqual({ a: 150, b: 150, c: 150 });
    allotment.setCapacities(() => 250);
    expect(allotment.allot(2, 500)).toBe(300);
    expect(amountsOf(allotment)).toEqual({ a: 150, b: 250, c: 250 });
  });

  it('never gives more than is left', () => {
    const allotment = allotmentOf(150, [100, 200, 300]);
    expect(allotment.allot(2, 400)).toBe(250);
    expect(amountsOf(allotment)).toEqual({ b: 150 });
    allotment.spread();
    expect(amountsOf(allotment)).toEqual({ b: 150 });
  });

  it('spreads the rest over the room of all items', () => {
    const allotment = allotmentOf(9_000, [4_000, 4_000, 4_000]);
    allotment.allot(1, 3_000);
    allotment.spread();
    expect(amountsOf(allotment)).toEqual({ a: 3_667, b: 2_667, c: 2_666 });
    allotment.setCapacities(() => 4_000);
    allotment.spread();
    expect(amountsOf(allotment)).toEqual({ a: 3_667, b: 2_667, c: 2_666 });
  });

  it('gives no share below a rupee, while the others have room', () => {
    expect(amountsOf(spreadOf(300, [1, 1_000, 1_000]))).toEqual({ b: 150, c: 150 });
    // A share of a rupee exactly is one.
    expect(amountsOf(spreadOf(400, [1_000, 1_000, 2_000]))).toEqual({ a: 100, b: 100, c: 200 });
    expect(amountsOf(spreadOf(399, [1_000, 1_000, 2_000]))).toEqual({ a: 133, c: 266 });
    expect(amountsOf(spreadOf(300, [1, 100, 200]))).toEqual({ b: 100, c: 200 });
    // Of equal ones the last gets none.
    expect(amountsOf(spreadOf(100, [50, 50, 50]))).toEqual({ a: 50, b: 50 });
    // Nothing else has room.
    expect(amountsOf(spreadOf(300, [0, 100, 200]))).toEqual({ b: 100, c: 200 });
    expect(amountsOf(spreadOf(201, [0, 100, 200]))).toEqual({ b: 67, c: 134 });
    expect(amountsOf(spreadOf(400, [0, 100, 200]))).toEqual({ b: 100, c: 200 });
    expect(amountsOf(spreadOf(400, [0, 0, 0]))).toEqual({});
  });

  const spreadOf = (left: number, capacities: readonly number[]) => {
    const allotment = allotmentOf(left, capacities);
    allotment.spread();
    return allotment;
  };
});
