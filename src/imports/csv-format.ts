export interface CsvFormat {
  delimiter: string;
  lineBreak: '\n' | '\r';
}

export const NEVER_CLOSED = 'a quote is opened here and never closed: nothing from here on was read';
export const STRAY_QUOTE =
  'a quote stands within a cell: the whole cell must be quoted, and each quote in it doubled';
