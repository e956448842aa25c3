import * as fc from 'fast-check';
import { deliveryCharge } from './delivery-charge.js';

const MUG = { productId: 7, deliveryCharge: 4_900 };
const SHIRT = { productId: 3, deliveryCharge: 3_050 };
const STICKER = { productId: 9, deliveryCharge: 0 };

describe('deliveryCharge', () => {
  it('charges each distinct product once, in the order of the lines', () => {
    expect(deliveryCharge([MUG, SHIRT, MUG, STICKER, SHIRT])).toEqual({
      total: 7_950,
      perProduct: [
        { productId: 7, charge: 4_900 },
        { productId: 3, charge: 3_050 },
        { productId: 9, charge: 0 },
      ],
    });
  });

  it('charges two products with equal charges separately', () => {
    const { productId } = SHIRT;
    expect(deliveryCharge([MUG, { ...MUG, productId }])).toEqual({
      total: 9_800,
      perProduct: [
        { productId: 7, charge: 4_900 },
        { productId, charge: 4_900 },
      ],
    });
  });

  it('charges nothing without lines', () => {
    expect(deliveryCharge([])).toEqual({ total: 0, perProduct: [] });
  });

  it('does not change when a line is split into several of the same product', () => {
    const lines = fc.array(fc.constantFrom(MUG, SHIRT, STICKER));
    fc.assert(
      fc.property(lines, (some) => {
        expect(deliveryCharge([...some, ...some])).toEqual(deliveryCharge(some));
      }),
    );
  });
});
