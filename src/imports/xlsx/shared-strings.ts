import { unreadableWorkbook } from './unreadable-workbook.js';
import { walkXml } from './walk-xml.js';
import type { WorkbookArchive } from './workbook-archive.js';

const LIMIT = 256_000_000;

/** They have to be in memory, for cells name them by number; so there is an end to them. */
const MOST_CHARACTERS = 50_000_000;

/** How XML writes characters that it cannot hold, such as a carriage return. */
const ESCAPED = /_x([\dA-F]{4})_/gi;

/** The texts of a workbook, each of which is kept once. */
export async function readSharedStrings(
  archive: WorkbookArchive,
  part: string | undefined,
): Promise<string[]> {
  const strings: string[] = [];
  const reader = new TextReader();
  let characters = 0;
  if (part === undefined) return strings;
  const walk = walkXml(archive.read(part, LIMIT), {
    open: (name) => {
      if (name === 'si') reader.begin();
      reader.open(name);
    },
    text: (text) => reader.add(text),
    close: (name) => {
      reader.close(name);
      if (name === 'si') characters += strings[strings.push(reader.take()) - 1]!.length;
    },
  });
  for await (const _ of walk)
    if (characters > MOST_CHARACTERS)
      throw unreadableWorkbook(
        `it has more than ${MOST_CHARACTERS / 1_000_000} million characters; save it as CSV UTF-8`,
      );
  return strings;
}

/** The text of a cell, whose parts may be formatted differently; how it is pronounced is another matter. */
export class TextReader {
  private text = '';
  private isText = false;
  private isPronunciation = false;

  begin(): void {
    this.text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.isPronunciation = true;
    if (name === 't') this.isText = !this.isPronunciation;
  }

  add(text: string): void {
    if (this.isText) this.text += text;
  }

  close(name: string): void {
    if (name === 't') this.isText = false;
    if (name === 'rPh') this.isPronunciation = false;
  }

  take(): string {
    return unescaped(this.text);
  }
}

export function unescaped(text: string): string {
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
