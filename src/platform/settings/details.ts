/** A line of the bank account or of the contact, such as "IFSC" and "HDFC0001234". */
export interface Detail {
  label: string;
  value: string;
}

const MAX_LINES = 12;

/** Parses lines, or parts separated by semicolons. For a wrong text it returns the end of a sentence. */
export function parseDetails(given: string): Detail[] | string {
  const lines = given
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const details = lines.map((line) => {
    const at = line.indexOf(':');
    return { label: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  const isWrong =
    lines.length > MAX_LINES || details.some(({ label, value }) => label === '' || value === '');
  return isWrong ? `must be up to ${MAX_LINES} parts like "Phone: +91 98200 00000"` : details;
}
