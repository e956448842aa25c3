import { barcodeFault } from './barcode.js';

describe('barcodeFault', () => {
  it.each(['', '96385074', '036000291452', '4006381333931', '8901030865237', '10614141000415'])(
    'takes %j',
    (text) => {
      expect(barcodeFault(text)).toBeUndefined();
    },
  );

  it.each(['4006381333932', '4006381333391', '96385075'])('notices a wrong digit: %s', (text) => {
    expect(barcodeFault(text)).toBe('has a wrong digit: the last one does not fit the others');
  });

  it.each(['40063813339', '9638507', '36000291452', '8.90123E+12', '400638133393X', '106141410004155', ' '])(
    'takes no other text: %j',
    (text) => {
      expect(barcodeFault(text)).toMatch(/^must be empty or a barcode of .+ text$/);
    },
  );
});
