import { STATES } from '../../tax/gst-codes.js';
import { warningsOf } from './pincode-of-state.js';

describe('A PIN code', () => {
  it.each([
    ['Karnataka', '560038'],
    ['karnataka ', ' 560038'],
    ['Telangana', '500001'],
    ['Jammu & Kashmir', '190001'],
    ['West Bengal', '734001'],
    ['Goa', '403001'],
    ['Chandigarh', '160017'],
    ['Karnataka', '903001'],
    ['Atlantis', '110001'],
  ])('of %s may be %s', (state, pincode) => {
    expect(warningsOf({ state, pincode })).toEqual([]);
  });

  it.each([
    ['Kerala', '560038'],
    ['Delhi', '400001'],
    ['KARNATAKA', '110001'],
  ])('of %s is not %s', (state, pincode) => {
    expect(warningsOf({ state, pincode, country: 'IN' })).toMatchObject([{ code: 'other_state' }]);
    expect(warningsOf({ state, pincode, country: 'Nepal' })).toEqual([]);
  });

  it('is known of every state', () => {
    const unknown = [...STATES.values()].filter(
      (state) => warningsOf({ state, pincode: '000000' }).length === 0,
    );
    expect(unknown).toEqual(['Other Territory']);
  });
});
