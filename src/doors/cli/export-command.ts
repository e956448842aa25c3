import { BYTE_ORDER_MARK, csvText } from '../../imports/csv-format.js';
import { type Answer, jsonArray } from './answer.js';
import type { CliCommand } from './command.js';
import { OutputFile } from './output-file.js';
import type { Services } from './services.js';

export interface OutputOptions {
  output?: string;
  excel?: boolean;
}

/** `… export`: CSV that can be imported unchanged, on standard output or in a file. */
export function addExportCommand<Row extends object>(
  group: CliCommand,
  columns: readonly (keyof Row & string)[],
  description: string,
  filesOf: (services: Services) => { export(): AsyncIterable<Row> },
): void {
  addOutputOptions(group.add('export', description)).does((services, options: OutputOptions) =>
    exportRows(columns, filesOf(services).export(), options),
  );
}

export function addOutputOptions(
  command: CliCommand,
  file = '--output <file.csv>',
  description = 'the file to write (standard output)',
): CliCommand {
  return command
    .option(file, description)
    .option('--excel', 'begin with a byte order mark, so that Excel reads UTF-8');
}

export async function exportRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
  { output, excel = false }: OutputOptions,
): Promise<Answer> {
  if (output === undefined) return { json: jsonArray(rows), text: fileText(columns, rows, excel) };
  let count = 0;
  async function* counted(): AsyncGenerator<Row> {
    for await (const row of rows) {
      count++;
      yield row;
    }
  }
  const file = await OutputFile.open(output);
  await file.write(fileText(columns, counted(), excel));
  return { json: { file: output, rows: count }, text: `Wrote ${count} rows to ${output}.\n` };
}

export async function* fileText<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
  excel: boolean,
): AsyncGenerator<string> {
  if (excel) yield BYTE_ORDER_MARK;
  yield* csvText(columns, rows);
}
