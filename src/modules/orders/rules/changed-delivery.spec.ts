import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Delivery, readChangedDelivery } from './changed-delivery.js';

describe('A changed delivery', () => {
  const order: Delivery = {
    customerName: 'Asha Rao',
    customerPhone: '9876543210',
    shippingAddress: '1 MG Road',
    shippingCity: 'Bengaluru',
    shippingState: 'Karnataka',
    shippingPincode: '560038',
    shippingCountry: 'India',
  };
  const rules = { servedCountries: ['India', 'Nepal'], hasInvoices: true };
  const read = (changes: Partial<Delivery>, of: Partial<Delivery> = {}, other: Partial<typeof rules> = {}) =>
    readChangedDelivery(changes, { ...order, ...of }, { ...rules, ...other });
  const refusalOf = (...input: Parameters<typeof read>) => {
    try {
      return read(...input);
    } catch (error) {
      const { code, message, errors } = error as DomainError;
      return [code, message, errors];
    }
  };

  it.each<[Partial<Delivery>, Partial<Delivery>]>([
    [{}, {}],
    [{ shippingCity: ' Mysuru ' }, { shippingCity: 'Mysuru' }],
    [{ shippingPincode: '570 001' }, { shippingPincode: '570001' }],
    [{ shippingState: 'MH' }, { shippingState: 'Maharashtra' }],
    [{ customerPhone: '+91 98765 43211' }, { customerPhone: '+91 98765 43211' }],
    [
      { shippingCountry: 'Nepal', shippingState: 'Bagmati', shippingPincode: '44600' },
      { shippingCountry: 'Nepal', shippingState: 'Bagmati', shippingPincode: '44600' },
    ],
  ])('with %j has the values %j', (changes, values) => {
    expect(read({ shippingAddress: undefined, ...changes } as never)).toStrictEqual(values);
  });

  it('may leave older values that would be refused now', () => {
    const older = { customerPhone: '12', shippingState: 'Bavaria', shippingCountry: 'India' };
    expect(read({ customerPhone: '12', shippingCity: 'Mysuru' }, older)).toMatchObject({
      shippingCity: 'Mysuru',
    });
    expect(read({ shippingCity: 'Mysuru' }, {}, { servedCountries: ['Nepal'] })).toEqual({
      shippingCity: 'Mysuru',
    });
    expect(read({ shippingState: 'Bavaria' }, {}, { hasInvoices: false })).toEqual({
      shippingState: 'Bavaria',
    });
  });

  const UNKNOWN = 'is not the name or code of an Indian state; 560038 is in Karnataka';
  const NO_PIN = 'must be 6 digits in India, elsewhere 3 to 12 letters, digits, spaces or hyphens';

  it.each<[Partial<Delivery>, Partial<Delivery>, string, string, string]>([
    [{ shippingState: 'Bavaria' }, {}, 'state', 'state', UNKNOWN],
    [
      { shippingCountry: 'India' },
      { shippingCountry: 'Nepal', shippingState: 'x' },
      'state',
      'state',
      UNKNOWN,
    ],
    [{ shippingPincode: '56' }, {}, 'PIN code', 'pincode', NO_PIN],
    [{ shippingCountry: 'IN' }, { shippingPincode: '44600' }, 'PIN code', 'pincode', NO_PIN],
    [{ shippingCity: ' ' }, {}, 'city', 'city', 'must not be empty'],
    [{ shippingCity: 'x'.repeat(201) }, {}, 'city', 'city', 'must have at most 200 characters'],
    [
      { shippingCountry: 'France' },
      {},
      'country',
      'country',
      'must be one of the countries that are served: India, Nepal',
    ],
  ])('%j of %j is refused: the %s', (changes, of, label, field, message) => {
    expect(refusalOf(changes, of)).toEqual([
      'invalid_value',
      `The ${label} ${message}.`,
      [{ field, code: 'invalid', message }],
    ]);
  });

  it('names all faults', () => {
    const [, message] = refusalOf({ customerPhone: '12', customerName: '' }) as [string, string];
    expect(message).toMatch(
      /^The phone must be ten digits in India.* 15 digits\. The name must not be empty\.$/,
    );
  });
});
