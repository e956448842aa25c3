import {
  gstinsWithin,
  readFrom,
  type Registration,
  sellerOn,
  applyRegistrationChange,
} from './registrations.js';

const OLD: Registration = {
  id: 1,
  since: '2017-07-01',
  name: 'Sharma',
  gstin: '29AAGCB7383J1Z4',
  address: 'Bengaluru',
  state: '29',
  receiptVouchers: false,
};
const NEW = { ...OLD, id: 2, since: '2026-12-01', gstin: '27AAPFU0939F1ZV', address: 'Pune' };
const BOTH = [OLD, NEW];
const OTHER = '33AAACH7412G1Z0';
const THIRD = { ...NEW, id: 3, since: '2027-01-01', gstin: OTHER };
const THREE = [...BOTH, THIRD];

describe('The registration of a day', () => {
  it.each([
    ['2026-11-30', 1],
    ['2026-12-01', 2],
    ['2030-01-01', 2],
  ])('%s is number %i', (day, id) => expect(sellerOn(BOTH, day)?.id).toBe(id));

  it('is the first one if no earlier one is left', () => expect(sellerOn([NEW], '2026-11-30')).toBe(NEW));

  it('is none before there is a seller', () => expect(sellerOn([], '2026-11-30')).toBeUndefined());
});

describe('The first day of a registration', () => {
  it.each([
    ['', undefined],
    ['  ', undefined],
    [' 2026-12-01 ', '2026-12-01'],
  ])('is read: %j', (text, from) => expect(readFrom(text)).toBe(from));

  it.each(['2026-12-02', '2026-12', '2026-13-01', 'x-01', 'error'])('is not %j', (text) =>
    expect(() => readFrom(text)).toThrow('Give the first day of a month, such as 2026-12-01.'),
  );
});

describe('The GSTINs of a period', () => {
  it.each<[string, Registration[], [string, string], number[], Registration[]]>([
    ['its first month', BOTH, ['2026-11-01', '2026-11-01'], [], [OLD]],
    ['its last month', BOTH, ['2026-12-01', '2026-12-01'], [], [NEW]],
    ['its first and its last month', BOTH, ['2026-10-01', '2026-12-01'], [], [NEW, OLD]],
    ['no seller', [], ['2026-10-01', '2026-12-01'], [1], []],
    ['a credit note of an older one', BOTH, ['2026-12-01', '2026-12-01'], [1], [NEW, OLD]],
    ['a credit note of the same', BOTH, ['2026-11-01', '2026-11-01'], [1], [OLD]],
    ['a registration in between', THREE, ['2026-11-01', '2027-01-01'], [], [THIRD, NEW, OLD]],
    ['none after it', THREE, ['2026-10-01', '2026-11-01'], [], [OLD]],
    ['none around it', THREE, ['2026-12-01', '2026-12-01'], [], [NEW]],
  ])('are those of %s', (_, all, period, used, registrations) => {
    const gstins = gstinsWithin(all, period, ({ id }) => used.includes(id));
    expect(gstins).toEqual(registrations.map(({ gstin }) => gstin));
  });
});

describe('A change of the seller', () => {
  const NOVEMBER = '2026-11-20';
  const isNamed = (one: Registration) => one.id > 0;
  type Given = Parameters<typeof applyRegistrationChange<Registration>>[2];
  const after = (all: Registration[], given: Given, today = NOVEMBER, named = isNamed) =>
    applyRegistrationChange(all, today, given, named);

  it('is one of the present registration, without a day', () => {
    expect(after([OLD], { name: 'Sharma LLP' })).toEqual([{ ...OLD, name: 'Sharma LLP' }]);
    expect(after(BOTH, { name: 'Sharma LLP' }, '2026-12-01')).toEqual([OLD, { ...NEW, name: 'Sharma LLP' }]);
    expect(after(BOTH, { gstin: NEW.gstin }, '2026-12-01')).toEqual(BOTH);
  });

  it('reaches the registration to come where that has the same', () => {
    const change = { name: 'Sharma LLP', address: 'Mysuru', receiptVouchers: true };
    expect(after(BOTH, change)).toEqual([
      { ...OLD, ...change },
      { ...NEW, name: 'Sharma LLP', receiptVouchers: true },
    ]);
  });

  it('reaches the registration to come of a seller that had two', () => {
    const name = 'Sharma LLP';
    const changed = [OLD, { ...NEW, name }, { ...THIRD, name }];
    expect(after(THREE, { name }, '2026-12-31')).toEqual(changed);
  });

  it('replaces a GSTIN at once only while no document has it, or if it was mistyped', () => {
    const cured = [{ ...OLD, gstin: OTHER }, NEW];
    expect(after(BOTH, { gstin: OTHER }, NOVEMBER, () => false)).toEqual(cured);
    expect(after(BOTH, { gstin: OTHER, mistyped: true })).toEqual(cured);
    expect(after(BOTH, { gstin: OTHER, mistyped: true, from: OLD.since })).toEqual(cured);
    expect(() => after(BOTH, { gstin: OTHER, mistyped: true, from: '2026-12-01' })).toThrow('but not both');
    expect(() => after(BOTH, { gstin: OTHER })).toThrow(
      'Documents name the GSTIN 29AAGCB7383J1Z4. For a new registration, give its first day: the first day ' +
        'of a month, such as 2026-12-01. Or say that 29AAGCB7383J1Z4 was mistyped.',
    );
    const requested: Registration[] = [];
    after(BOTH, { gstin: OTHER }, '2026-12-01', (one) => requested.push(one) === 0);
    expect(requested).toEqual([NEW]);
  });

  it('begins a registration on its day, once', () => {
    const change = { gstin: NEW.gstin, address: 'Pune', from: '2026-12-01' };
    expect(after([OLD], change)).toEqual(BOTH);
    expect(after(BOTH, change)).toEqual(BOTH);
    expect(after(BOTH, change, '2026-12-01')).toEqual(BOTH);
    expect(after(BOTH, change, '2026-12-31')).toEqual(BOTH);
    expect(() => after(BOTH, { ...change, gstin: OTHER }, '2026-12-31')).toThrow('Documents name');
  });

  it('begins a registration in this month, but not in an earlier one', () => {
    const change = { gstin: NEW.gstin, address: 'Pune', from: '2026-12-01' };
    const refused = 'A new registration begins in this month or a later one.';
    expect(after([OLD], change, '2026-12-31')).toEqual(BOTH);
    expect(() => after([OLD], change, '2027-01-01')).toThrow(refused);
  });

  it('changes, moves or withdraws the registration to come, and keeps the number', () => {
    expect(after(BOTH, { gstin: OTHER, from: '2026-12-01' })).toEqual([OLD, { ...NEW, gstin: OTHER }]);
    expect(after(BOTH, { from: '2027-01-01' })).toEqual([OLD, { ...NEW, since: '2027-01-01' }]);
    expect(after(BOTH, { from: '2026-11-01' })).toEqual([OLD, { ...NEW, since: '2026-11-01' }]);
    expect(after(BOTH, { gstin: OLD.gstin, from: '2026-12-01' })).toEqual([OLD]);
  });

  it('is refused if there are nine registrations', () => {
    const change = { gstin: OTHER, from: '2027-01-01' };
    const numbered = (id: number) => [{ ...OLD, id }];
    expect(after(numbered(8), change)[1]).toMatchObject({ id: 9 });
    expect(() => after(numbered(9), change)).toThrow('There are 9 registrations already.');
  });

  it('withdraws only on the day of the registration to come', () => {
    expect(() => after(BOTH, { gstin: OLD.gstin, from: '2027-01-01' })).toThrow('another GSTIN');
  });

  it('leaves a registration alone that has no earlier one', () => {
    expect(after([NEW], { name: 'Sharma LLP' })).toEqual([{ ...NEW, name: 'Sharma LLP' }]);
  });

  it.each([{}, { gstin: OLD.gstin }])('needs another GSTIN for a new registration: %j', (given) => {
    const fault = { code: 'invalid_value', message: 'A new registration needs another GSTIN.' };
    expect(() => after([OLD], { ...given, from: '2026-12-01' })).toThrow(expect.objectContaining(fault));
  });
});
