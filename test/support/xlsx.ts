import { crc32, deflateRawSync } from 'node:zlib';

interface Part {
  name: string;
  content: string | Buffer;
  /** A false size in the directory, if given. */
  claimedSize?: number;
}

/** A ZIP archive of these files. */
export function zipOf(parts: Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 1 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimedSize ?? bytes.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, place, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, index, end]);
}

/** A text, or the XML of a cell without its reference: `<c t="b"><v>1</v></c>`. */
type Cell = string | { xml: string };

interface Options {
  /** Format codes. The style of each is its index + 1, because 0 is the general style. */
  formats?: string[];
  date1904?: boolean;
  /** These replace the XML of a part. */
  sheet?: string;
  sharedStrings?: string;
  styles?: string;
  hiddenFirst?: boolean;
}

/** Returns a workbook as Excel writes it: texts are shared, numbers are not. */
export function workbook(
  rows: Cell[][],
  { formats = [], date1904 = false, hiddenFirst = false, ...replaced }: Options = {},
): Buffer {
  const strings: string[] = [];
  const cellXml = (cell: Cell, reference: string) => {
    if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${reference}"`);
    return cell === '' ? '' : `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
  };
  const sheetRows = rows.map((cells, index) => {
    const line = index + 1;
    const xml = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${line}`));
    return `<row r="${line}">${xml.join('')}</row>`;
  });
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const numFmts = formats.map(
    (code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escape(code)}"/>`,
  );
  const xfs = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`);
  const hidden = hiddenFirst ? '<sheet name="Hidden" sheetId="2" state="hidden" r:id="rId9"/>' : '';
  const sharedStrings = strings.map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`);
  const parts = {
    'xl/workbook.xml':
      `<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${date1904}"/><sheets>${hidden}` +
      `<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/>` +
      `<Relationship Id="rId3" Type="${office}/sharedStrings" Target="/xl/sharedStrings.xml"/>` +
      '</Relationships>',
    'xl/styles.xml':
      replaced.styles ??
      `<styleSheet ${main}><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/>` +
        `</cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml':
      replaced.sheet ?? `<worksheet ${main}><sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': replaced.sharedStrings ?? `<sst ${main}>${sharedStrings.join('')}</sst>`,
  };
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
