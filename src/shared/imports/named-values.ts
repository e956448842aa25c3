type Pair = [name: string, value: string];

/** A heading of the file and its column. The heading may contain `=`; a column does not. */
export function parseMapping(text: string): Pair | undefined {
  const [heading, column] = splitAt(text, text.lastIndexOf('='));
  return heading === '' || !/^\w+$/.test(column) ? undefined : [heading, column.toLowerCase()];
}

/** A column that the file lacks, and its value in all rows. */
export function parseConstant(text: string): Pair | undefined {
  const [column, value] = splitAt(text, text.indexOf('='));
  return value === '' || !/^\w+$/.test(column) ? undefined : [column.toLowerCase(), value];
}

function splitAt(text: string, at: number): Pair {
  return at < 0 ? ['', ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
