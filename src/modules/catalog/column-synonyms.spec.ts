import { COLUMN_SYNONYMS } from './column-synonyms.js';
import { suggestColumns } from '../../shared/imports/heading-suggestions.js';

it.each([
  ['Art-Nr', 'sku'],
  ['Art. No.', 'sku'],
  ['Bezeichnung/Name', 'name'],
  ['Description of goods', 'name'],
  ['Rate', 'base_price'],
])('the heading %j suggests the column %s', async (heading, column) => {
  const columns = ['sku', 'name', 'base_price'];
  const kind = { columns, staged: {}, synonyms: COLUMN_SYNONYMS };
  const session = { count: () => Promise.resolve(0) };
  const { headings } = await suggestColumns(session, kind, { headings: [[heading, '']], columns }, [
    { line: 1, cells: [heading] },
  ]);
  expect(headings).toEqual([[heading, column]]);
});
