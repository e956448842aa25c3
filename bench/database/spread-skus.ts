/** Returns SKUs of synthetic products, spread over a catalog of this size. */
export function spreadSkus(products: number, count: number): string[] {
  const amount = Math.min(products, count);
  return Array.from({ length: amount }, (_, index) =>
    syntheticSku(1 + Math.floor((index * products) / amount)),
  );
}

function syntheticSku(number: number): string {
  return `SYN-${String(number).padStart(7, '0')}`;
}
