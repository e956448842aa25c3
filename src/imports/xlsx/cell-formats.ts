import { builtInFormat, formatOfCode, type NumberFormat } from './number-format.js';
import { unreadableWorkbook } from './unreadable-workbook.js';
import { readXml } from './walk-xml.js';
import type { WorkbookArchive } from './workbook-archive.js';

const LIMIT = 16_000_000;

/** Excel allows no more. */
const LONGEST_CODE = 255;

/** The number formats of a workbook, by the number of the style. */
export async function readCellFormats(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const own = new Map<number, NumberFormat>();
  let isOfCells = false;
  if (part === undefined) return formats;
  await readXml(archive.read(part, LIMIT), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId);
      if (formatCode.length > LONGEST_CODE)
        throw unreadableWorkbook(`${part} has a number format of more than ${LONGEST_CODE} characters`);
      if (name === 'numFmt') own.set(id, formatOfCode(formatCode));
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(own.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}
