import { findWarnings, withWarnings } from './pincode-of-state.js';

describe('A PIN code', () => {
  it('of its state has no warning', () => {
    expect(findWarnings({ state: 'karnataka ', pincode: ' 560038' })).toEqual([]);
  });

  it.each(['KARNATAKA', 'KA', '29', 'Karnatka'])(
    'of another state than %s has one, within India',
    (state) => {
      const wrong = { state, pincode: ' 110001' };
      const message = '110001 is not in Karnataka: one of the two is probably mistyped.';
      expect(findWarnings({ ...wrong, country: 'IN' })).toMatchObject([{ code: 'other_state', message }]);
      expect(findWarnings({ ...wrong, country: 'Nepal' })).toEqual([]);
    },
  );

  it('says the state, if the text names none', () => {
    expect(findWarnings({ state: 'Bengaluru', pincode: ' 560038' })).toEqual([
      {
        field: 'shipping.state',
        code: 'unknown_state',
        message: '"Bengaluru" is not the name or code of an Indian state; 560038 is in Karnataka.',
      },
    ]);
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
