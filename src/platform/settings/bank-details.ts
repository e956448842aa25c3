/** A line of what somebody needs to know who sends money by bank: "IFSC", "HDFC0001234". */
export interface BankDetail {
  label: string;
  value: string;
}

const MOST_LINES = 12;

/** Where the gateway is a sandbox, a bank account is one too, so that all of it can be tried. */
const MADE_UP: BankDetail[] = [
  { label: 'Account name', value: 'Made up: no money moves' },
  { label: 'Account number', value: '000000000000' },
  { label: 'IFSC', value: 'TEST0000000' },
];

/** Where clients send money by bank; without a word about it they cannot. */
export function bankDetails(given: string | undefined, isSandbox: boolean, faults: string[]): BankDetail[] {
  if (given === undefined) return isSandbox ? MADE_UP : [];
  const lines = given
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const details = lines.map((line) => {
    const at = line.indexOf(':');
    return { label: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  if (lines.length > MOST_LINES || details.some(({ label, value }) => label === '' || value === ''))
    faults.push(
      `BANK_TRANSFER_DETAILS must be up to ${MOST_LINES} parts like "IFSC: HDFC0001234", separated by semicolons.`,
    );
  return details;
}
