import { builtInFormat, formatOfCode, type NumberFormat } from './number-format.js';
import { readXml } from './walk-xml.js';
import type { WorkbookArchive } from './workbook-archive.js';

const LIMIT = 16_000_000;

/** How each style of the workbook shows numbers, by the number of the style. */
export async function readCellFormats(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const codes = new Map<number, string>();
  let isOfCells = false;
  if (part === undefined) return formats;
  await readXml(archive.read(part, LIMIT), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId);
      if (name === 'numFmt') codes.set(id, formatCode);
      if (name === 'cellXfs') isOfCells = true;
      if (name !== 'xf' || !isOfCells) return;
      const code = codes.get(id);
      formats.push(code === undefined ? builtInFormat(id) : formatOfCode(code));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}
