import { unreadableWorkbook } from './unreadable-workbook.js';
import { readXml } from './walk-xml.js';
import type { WorkbookArchive } from './workbook-archive.js';

export interface Workbook {
  /** The part of the first sheet that is not hidden. */
  sheet: string;
  sharedStrings: string | undefined;
  styles: string | undefined;
  /** Whether days are counted from 1904, as old Macintoshes did. */
  from1904: boolean;
}

const LIMIT = 16_000_000;

export async function readWorkbook(archive: WorkbookArchive): Promise<Workbook> {
  const related = await relations(archive);
  const sheets: string[] = [];
  let from1904 = false;
  await readXml(archive.read('xl/workbook.xml', LIMIT), {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      sheets.push(related.find((relation) => relation.id === id)?.part ?? '');
    },
  });
  const [sheet] = sheets;
  if (!sheet) throw unreadableWorkbook('it has no sheet');
  const partOf = (type: string) => related.find((relation) => relation.type.endsWith(`/${type}`))?.part;
  return { sheet, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), from1904 };
}

async function relations(archive: WorkbookArchive): Promise<{ id: string; type: string; part: string }[]> {
  const found: { id: string; type: string; part: string }[] = [];
  await readXml(archive.read('xl/_rels/workbook.xml.rels', LIMIT), {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      found.push({ id, type, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` });
    },
  });
  return found;
}
