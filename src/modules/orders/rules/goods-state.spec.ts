import { describeGoods, GOODS_STATES, type GoodsState } from './goods-state.js';

describe('The goods of an order', () => {
  it('have these states', () =>
    expect(GOODS_STATES.join(' ')).toBe(
      'delivered returning returning_in_part returned returned_in_part lost lost_in_part',
    ));

  it.each<[GoodsState | null, string | undefined]>([
    [null, undefined],
    ['delivered', 'was delivered'],
    ['returned', 'came back'],
    ['returned_in_part', 'came back in part'],
    ['returning', 'is on its way back'],
    ['returning_in_part', 'is on its way back in part'],
    ['lost', 'is lost'],
    ['lost_in_part', 'is lost in part'],
  ])('in the state %j are described as %j', (state, words) => expect(describeGoods(state)).toBe(words));
});
