import { InvalidArgumentError } from 'commander';
import { pipeSource } from '../shared/imports/file-bytes.js';
import type { ImportFiles } from '../shared/imports/file-source.js';
import type { ImportOptions } from '../shared/imports/import-kind.js';
import { parseConstant, parseMapping } from '../shared/imports/named-values.js';
import { type ImportReport, type PriceChange, refusedRowsFile } from '../shared/imports/import-report.js';
import { MAX_CHANGE } from '../shared/imports/import-tables.js';
import type { RecordImport } from '../shared/imports/record-source.js';
import { reportAsJson } from '../shared/imports/report-json.js';
import type { CommandAnswer } from './answer.js';
import { type ActorOption, type CliCommand, readEnd, readPercentage, readStart } from './command.js';
import { OutputFile } from './output-file.js';
import type { Services } from './services.js';
import { showProgress, type CliEnvironment } from './terminal.js';

const MAX_FAULTS = 20;

type Pairs = Readonly<Record<string, string>>;
type ImportArguments = Omit<ImportOptions, 'actor' | 'keepRows' | 'onProgress' | 'renamed' | 'constants'> & {
  failed?: string;
  map?: Pairs;
  set?: Pairs;
} & ActorOption;

interface ImportCommand {
  name?: string;
  description: string;
  columns: string;
  files: (services: Services) => RecordImport;
  addOptions?: (command: CliCommand) => CliCommand;
}

/** `… import <file>`: the same for every kind of file. */
export function addImportCommand(
  group: CliCommand,
  { name = 'import', description, columns, files, addOptions = (command) => command }: ImportCommand,
): void {
  addOptions(group.add(name, description))
    .argument('<file>', `CSV or .xlsx; - is standard input; columns: ${columns}`)
    .option(
      '--map <heading=column>',
      'reads a heading of the file as this column, such as "AWB=tracking_number"; repeatable',
      readMapping,
    )
    .option(
      '--set <column=value>',
      'a column that the file lacks, such as "courier=BlueDart"; repeatable',
      readConstant,
    )
    .option('--dry-run', 'show the changes, and write nothing')
    .option('--all-or-nothing', 'write nothing if one row is refused')
    .option(
      '--failed <file.csv>',
      'write the refused rows to this file, with reasons, to correct and import again',
    )
    .by()
    .does((services, path, options) =>
      runImport(files(services), services.importFiles, path, options, group.runner.environment),
    );
}

export function addPriceGuards<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return command
    .preset(
      '--max-change <percent>',
      'refuse prices that change by more, up or down',
      MAX_CHANGE,
      readPercentage,
    )
    .option('--force', 'accept rows that look like a mistake: large price changes, prices of 0, odd SKUs');
}

/** Adds the option of files whose export has the column `was`. */
export function addOverwrite<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return command.option('--overwrite', 'write rows even if the stored values changed since the export');
}

export function addDates<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return command
    .option('--from <date>', 'begin at this time, not now; a date begins at its midnight', readStart)
    .option('--to <date>', 'then return to the earlier values; a date includes that day', readEnd);
}

// Several such options form one list.

function readMapping(text: string, before: Pairs = {}): Pairs {
  const [heading, column] = parseMapping(text) ?? refusePair('AWB=tracking_number');
  return { ...before, [heading]: column };
}

export function readConstant(text: string, before: Pairs = {}): Pairs {
  const [column, value] = parseConstant(text) ?? refusePair('courier=BlueDart');
  return { ...before, [column]: value };
}

function refusePair(example: string): never {
  throw new InvalidArgumentError(`It must look like "${example}".`);
}

async function runImport(
  files: RecordImport,
  importFiles: ImportFiles,
  path: string,
  { failed, map, set, by, ...options }: ImportArguments,
  environment: CliEnvironment,
): Promise<CommandAnswer> {
  const refused = failed === undefined ? undefined : await OutputFile.open(failed, path);
  const progress = showProgress(environment);
  let report: ImportReport;
  try {
    const keepRows = refused !== undefined;
    const source = path === '-' ? pipeSource(environment.stdin) : await importFiles.open(path);
    report = await files.import(source, {
      ...options,
      renamed: map,
      constants: set,
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
    // The rows are imported. The report is printed even if the file of refused rows fails.
    failure: await refused?.write(refusedRowsFile(report)).then(
      () => undefined,
      (error: unknown) => error,
    ),
    close: () => report.close(),
  };
}

async function* reportAsText(report: ImportReport): AsyncGenerator<string> {
  const { created, updated, unchanged, failedCount, warningCount } = report;
  if (report.dryRun) yield* priceLines(report.priceChanges());
  yield* faultLines('Row', report.failed());
  yield* faultLines('Warning: row', report.warnings());
  if (report.nothingWritten) yield 'Nothing was written.\n';
  const written = `${created} created, ${updated} updated, ${unchanged} unchanged`;
  yield `${report.dryRun ? 'Would be: ' : ''}${written}, ${failedCount} refused, ${warningCount} warnings.\n`;
  if (report.scheduled) yield report.scheduled.text;
  if (report.more) yield report.more.text;
}

/** Prints all price changes, because a dry run exists to show them. */
async function* priceLines(changes: AsyncIterable<PriceChange>): AsyncGenerator<string> {
  for await (const { line, sku, plan, from, to } of changes) {
    const whose = plan === undefined ? sku : `${sku} for ${plan}`;
    yield `Row ${line}: ${whose} ${from.toFixed(2)} → ${to.toFixed(2)}\n`;
  }
}

async function* faultLines(what: string, faults: ReturnType<ImportReport['failed']>): AsyncGenerator<string> {
  let count = 0;
  for await (const { line, column, message } of faults) {
    if (++count > MAX_FAULTS) {
      yield '… and more: --json lists all, --failed <file.csv> keeps the rows.\n';
      return;
    }
    yield `${what} ${line}: ${column === '' ? message : `${column} ${message}`}\n`;
  }
}
