import type { Command } from 'commander';
import { BYTE_ORDER_MARK, csvText } from '../../imports/csv-format.js';
import type { Answer } from './answer.js';
import type { Cli } from './cli.js';
import type { Services } from './services.js';
import { OutputFile } from './output-file.js';
import { jsonArray } from './write-out.js';

/** `… export`: CSV that can be imported as it is, on standard output or in a file. */
export function addExportCommand<Row extends object>(
  cli: Cli,
  group: Command,
  columns: readonly (keyof Row & string)[],
  description: string,
  filesOf: (services: Services) => { export(): AsyncIterable<Row> },
): void {
  addOutputOptions(cli.command(group, 'export', description)).action((options: OutputOptions) =>
    cli.run((services) => exportRows(columns, filesOf(services).export(), options)),
  );
}

export interface OutputOptions {
  output?: string;
  excel?: boolean;
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('--output <file.csv>', 'where to write it (standard output)')
    .option('--excel', 'begin with a byte order mark, by which Excel knows that it is UTF-8');
}

export async function exportRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
  { output, excel = false }: OutputOptions,
): Promise<Answer> {
  if (output === undefined) return { json: jsonArray(rows), text: fileText(columns, rows, excel) };
  let count = 0;
  const file = await OutputFile.open(output);
  await file.write(
    fileText(
      columns,
      counted(rows, () => count++),
      excel,
    ),
  );
  return { json: { file: output, rows: count }, text: `Wrote ${count} rows to ${output}.\n` };
}

async function* fileText<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
  excel: boolean,
): AsyncGenerator<string> {
  if (excel) yield BYTE_ORDER_MARK;
  yield* csvText(columns, rows);
}

async function* counted<Row>(rows: AsyncIterable<Row>, count: () => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    count();
    yield row;
  }
}
