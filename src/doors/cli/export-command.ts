import type { Command } from 'commander';
import { csvText } from '../../imports/csv-format.js';
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
  cli
    .command(group, 'export', description)
    .option('--output <file.csv>', 'where to write it (standard output)')
    .action(({ output }: { output?: string }) =>
      cli.run((services) => exportRows(columns, filesOf(services).export(), output)),
    );
}

export async function exportRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
  output: string | undefined,
): Promise<Answer> {
  if (output === undefined) return { json: jsonArray(rows), text: csvText(columns, rows) };
  let count = 0;
  const file = await OutputFile.open(output);
  await file.write(
    csvText(
      columns,
      counted(rows, () => count++),
    ),
  );
  return { json: { file: output, rows: count }, text: `Wrote ${count} rows to ${output}.\n` };
}

async function* counted<Row>(rows: AsyncIterable<Row>, count: () => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    count();
    yield row;
  }
}
