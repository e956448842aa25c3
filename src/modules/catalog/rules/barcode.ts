/** The numbers of GS1: EAN-8, UPC-A, EAN-13 and GTIN-14. */
const DIGITS = /^(\d{8}|\d{12,14})$/;

/** A wrong barcode names the goods of another maker. So the last digit is checked. */
export function barcodeFault(text: string): string | undefined {
  if (text === '') return undefined;
  if (!DIGITS.test(text)) {
    return (
      'must be empty or a barcode of 8, 12, 13 or 14 digits. Spreadsheets drop leading zeros and write ' +
      'long numbers as 8.9E+12: make the column text'
    );
  }
  const digits = Array.from(text, Number).toReversed();
  const sum = digits.reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0 ? undefined : 'has a wrong digit: the last one does not fit the others';
}
