/** A line of the bank account or of the contact, such as "IFSC" and "HDFC0001234". */
export interface Detail {
  label: string;
  value: string;
}

const MOST_LINES = 12;

/** Parses lines, or parts separated by semicolons. For a wrong text it returns the end of a sentence. */
export function detailsIn(given: string): Detail[] | string {
  const lines = given
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const details = lines.map((line) => {
    const at = line.indexOf(':');
    return { label: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  const isWrong =
    lines.length > MOST_LINES || details.some(({ label, value }) => label === '' || value === '');
  return isWrong ? `must be up to ${MOST_LINES} parts like "Phone: +91 98200 00000"` : details;
}
