import { createReadStream } from 'node:fs';
import { DomainError } from '../../platform/errors/domain-error.js';

/** The first bytes of workbooks. */
export const XLSX_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const OLE_SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

const SAVE_AS =
  'Save it as "Excel Workbook (.xlsx)" without a password, or as "CSV UTF-8 (Comma delimited)".';

/** Opens the file when it is read: an import may be refused before. */
export async function* readFileChunks(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path)) yield chunk as Buffer;
}

export async function* withFileErrors(chunks: AsyncIterable<Buffer>, label: string): AsyncGenerator<Buffer> {
  let isStart = true;
  try {
    for await (const chunk of chunks) {
      if (isStart) checkStart(chunk);
      isStart = false;
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof DomainError ? cause : unreadableFile(label, cause);
  }
}

/** Files that people pick by mistake, by their first bytes. */
const NO_SHEETS = [
  ['%PDF-', 'a PDF'],
  ['\x89PNG', 'a picture (PNG)'],
  ['\xff\xd8\xff', 'a picture (JPEG)'],
  ['GIF8', 'a picture (GIF)'],
  ['RIFF', 'a picture (WebP)'],
] as const;

function checkStart(chunk: Buffer): void {
  const startsWith = (sign: Buffer) => chunk.subarray(0, sign.length).equals(sign);
  const other = NO_SHEETS.find(([sign]) => startsWith(Buffer.from(sign, 'latin1')));
  if (other)
    throw new DomainError(
      'unreadable_file',
      `The file is ${other[1]}, not a spreadsheet. Choose a CSV or Excel file.`,
    );
  if (startsWith(OLE_SIGNATURE))
    throw new DomainError(
      'unreadable_file',
      `The file is an old workbook (.xls), or has a password. ${SAVE_AS}`,
    );
  if (startsWith(XLSX_SIGNATURE))
    throw new DomainError('unreadable_file', 'A workbook (.xlsx) cannot be read from a pipe: name the file.');
}

export function unreadableFile(label: string, cause: unknown): DomainError {
  const message = `${label} cannot be read: ${(cause as Error).message}`;
  return new DomainError('unreadable_file', message, { cause });
}
