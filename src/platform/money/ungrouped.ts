/** In groups: as India writes them, or by thousands. A comma elsewhere may mean a decimal one, and is left for whoever reads on to refuse. */
const GROUPED = /^\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$/;

/** A plain number of what people write into a field for money: "1,00,000", "₹250.50". */
export function ungrouped(text: string): string {
  const amount = text.replace(/^\s*₹/, '').trim();
  return GROUPED.test(amount) ? amount.replaceAll(',', '') : amount;
}
