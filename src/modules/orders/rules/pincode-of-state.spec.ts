import { findWarnings, withWarnings } from './pincode-of-state.js';

describe('A PIN code', () => {
  it('of its state has no warning', () => {
    expect(findWarnings({ state: 'karnataka ', pincode: ' 560038' })).toEqual([]);
    expect(findWarnings({ state: 'Atlantis', pincode: '110001' })).toEqual([]);
  });

  it('of another state has one, within India', () => {
    const wrong = { state: 'KARNATAKA', pincode: ' 110001' };
    expect(findWarnings({ ...wrong, country: 'IN' })).toMatchObject([{ code: 'other_state' }]);
    expect(findWarnings({ ...wrong, country: 'Nepal' })).toEqual([]);
  });

  it('of another state is reported beside the answer, which is unchanged without warnings', () => {
    const [answer, state] = [{ total: 1 }, 'Kerala'];
    const message = '560038 is not in Kerala: one of the two is probably mistyped.';
    const warnings = [{ field: 'shipping.pincode', code: 'other_state', message }];
    expect(withWarnings(answer, { state, pincode: '560038' })).toEqual({ total: 1, warnings });
    expect(withWarnings(answer, { state, pincode: '695001' })).toBe(answer);
    expect(withWarnings(answer, undefined)).toBe(answer);
  });
});
