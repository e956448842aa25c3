import type { Command } from 'commander';
import type { ImportOptions, ImportReport, PriceChange } from '../../imports/import-report.js';
import { MAX_CHANGE } from '../../imports/staging-tables.js';
import type { RecordSource } from '../../imports/record-source.js';
import type { Answer } from './answer.js';
import type { Cli } from './cli.js';
import { openRecords } from './open-records.js';
import { readActor, readPercentage } from './option-values.js';
import { operator } from './operator.js';
import { showProgress } from './show-progress.js';
import type { Services } from './services.js';
import { OutputFile } from './output-file.js';
import type { Surroundings } from './surroundings.js';
import { writeRefusedRows } from './write-refused-rows.js';
import { jsonArray } from './write-out.js';

const SHOWN = 20;

type Options = Omit<ImportOptions, 'actor' | 'keepRows' | 'onProgress'> & { failed?: string; by: string };

interface Files {
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport>;
}

/** `… import <file.csv>`, or what else is done with one: alike for every kind of file. */
export function addImportCommand(
  cli: Cli,
  group: Command,
  columns: string,
  description: string,
  filesOf: (services: Services) => Files,
  addOptions: (command: Command) => Command = (command) => command,
  name = 'import',
): void {
  addOptions(cli.command(group, name, description))
    .argument('<file>', `CSV or .xlsx; - is standard input; columns: ${columns}`)
    .option('--dry-run', 'say what would happen, and write nothing')
    .option('--all-or-nothing', 'write nothing if a single row is bad')
    .option(
      '--failed <file.csv>',
      'write the refused rows there, each with its reason, to be mended and imported again',
    )
    .option('--by <name>', 'who does it', readActor, operator())
    .action((path: string, options: Options) =>
      cli.run((services) => runImport(filesOf(services), path, options, cli.surroundings)),
    );
}

/** For files that set prices. */
export function addPriceGuards(command: Command): Command {
  return command
    .option(
      '--max-change <percent>',
      'hold back prices that change by more, up or down',
      readPercentage,
      MAX_CHANGE,
    )
    .option('--force', 'take whatever looks like a mistake: prices of 0 and far from the last one, odd SKUs');
}

/** For what can be exported with the column `was`. */
export function addOverwrite(command: Command): Command {
  return command.option('--overwrite', 'write rows all the same that have changed since they were exported');
}

async function runImport(
  files: Files,
  path: string,
  { failed, by, ...options }: Options,
  surroundings: Surroundings,
): Promise<Answer> {
  const refused = failed === undefined ? undefined : await OutputFile.open(failed, path);
  const progress = showProgress(surroundings);
  let report: ImportReport;
  try {
    const keepRows = refused !== undefined;
    report = await files.import(await openRecords(path, surroundings), {
      ...options,
      keepRows,
      actor: by,
      onProgress: progress.show,
    });
  } catch (error) {
    await refused?.discard();
    throw error;
  } finally {
    progress.end();
  }
  return {
    json: reportAsJson(report),
    text: reportAsText(report),
    incomplete: report.failedCount > 0,
    failure: refused && (await failureOf(writeRefusedRows(refused, report))),
    close: () => report.close(),
  };
}

/** The rows are imported: whoever asked must be told so, whatever becomes of the file of those that are not. */
async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}

async function* reportAsJson(report: ImportReport): AsyncGenerator<string> {
  const { created, updated, unchanged } = report;
  yield `${JSON.stringify({ created, updated, unchanged }).slice(0, -1)},"failed":`;
  yield* jsonArray(report.failed());
  yield ',"warnings":';
  yield* jsonArray(report.warnings());
  if (report.dryRun) {
    yield ',"price_changes":';
    yield* jsonArray(report.priceChanges());
  }
  yield '}';
}

async function* reportAsText(report: ImportReport): AsyncGenerator<string> {
  const { created, updated, unchanged, failedCount, warningCount } = report;
  if (report.dryRun) yield* priceLines(report.priceChanges());
  yield* faultLines('Row', report.failed());
  yield* faultLines('Warning: row', report.warnings());
  if (report.nothingWritten) yield 'Nothing was written.\n';
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failedCount} refused, ${warningCount} warnings`;
  yield `${report.dryRun ? 'Would be: ' : ''}${counts}.\n`;
}

/** All of them: to see them is what a dry run is for. */
async function* priceLines(changes: AsyncIterable<PriceChange>): AsyncGenerator<string> {
  for await (const { line, sku, plan, from, to } of changes) {
    const whose = plan === undefined ? sku : `${sku} for ${plan}`;
    yield `Row ${line}: ${whose} ${from.toFixed(2)} → ${to.toFixed(2)}\n`;
  }
}

async function* faultLines(what: string, faults: ReturnType<ImportReport['failed']>): AsyncGenerator<string> {
  let shown = 0;
  for await (const { line, column, message } of faults) {
    if (++shown > SHOWN) {
      yield '… and more: --json lists all, --failed <file.csv> keeps the rows.\n';
      return;
    }
    yield `${what} ${line}: ${column === '' ? message : `${column} ${message}`}\n`;
  }
}
