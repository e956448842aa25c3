/** The first rows of a long list, and how many there are beyond. */
export interface FirstRows<Row> {
  rows: Row[];
  more: number;
}

export async function firstRows<Row>(found: AsyncGenerator<Row, number>): Promise<FirstRows<Row>> {
  const rows: Row[] = [];
  for (;;) {
    const { done, value } = await found.next();
    if (done) return { rows, more: value };
    rows.push(value);
  }
}
