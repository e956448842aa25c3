/** One or two digits after the only comma, and points in threes if any: `1234,50` and `1.234,50`, but not `1,234`. */
const WITH_COMMA = /^(-?)(\d+|\d{1,3}(?:\.\d{3})+),(\d{1,2})$/;

/** Half of the world writes decimals with a comma. Where no comma separates cells, one that can be nothing else is read as such. */
export function withDecimalPoint(amount: string): string {
  return amount.replace(
    WITH_COMMA,
    (_, sign: string, whole: string, decimals: string) => `${sign}${whole.replaceAll('.', '')}.${decimals}`,
  );
}
