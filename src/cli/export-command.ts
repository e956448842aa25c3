import { type CsvRows, fileText } from '../shared/imports/csv-format.js';
import { jsonArray } from '../shared/imports/json-text.js';
import type { CommandAnswer } from './answer.js';
import type { CliCommand } from './command.js';
import { OutputFile } from './output-file.js';
import type { Services } from './services.js';

export interface OutputOptions {
  output?: string;
  excel?: boolean;
}

/** `… export`: CSV that can be imported unchanged, on standard output or in a file. */
export function addExportCommand<Column extends string>(
  group: CliCommand,
  columns: readonly Column[],
  description: string,
  filesOf: (services: Services) => { export(): CsvRows<Column> },
): void {
  addOutputOptions(group.add('export', description)).does((services, options) =>
    exportRows(columns, filesOf(services).export(), options),
  );
}

export function addOutputOptions<Args extends unknown[], Options>(
  command: CliCommand<Args, Options>,
  file: '--output <file.csv>' | '--output <file>' = '--output <file.csv>',
  description = 'the file to write (standard output)',
): CliCommand<Args, Options & OutputOptions> {
  return command
    .option(file, description)
    .option('--excel', 'begin with a byte order mark, so that Excel reads UTF-8');
}

export async function exportRows<Column extends string>(
  columns: readonly Column[],
  rows: CsvRows<Column>,
  { output, excel = false }: OutputOptions,
): Promise<CommandAnswer> {
  if (output === undefined) return { json: jsonArray(rows), text: fileText(columns, rows, excel) };
  let count = 0;
  async function* counted(): CsvRows<Column> {
    for await (const row of rows) {
      count++;
      yield row;
    }
  }
  const file = await OutputFile.open(output);
  await file.write(fileText(columns, counted(), excel));
  return { json: { file: output, rows: count }, text: `Wrote ${count} rows to ${output}.\n` };
}
