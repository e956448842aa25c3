import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { atSuiteEnd } from './suite-end.js';
import { openServices } from '../../src/cli/local/open-services.js';
import { csvSource } from '../../src/shared/imports/csv-source.js';
import type { RecordSource } from '../../src/shared/imports/record-source.js';
import type { RowFault, ImportOptions } from '../../src/shared/imports/import-kind.js';
import type { ImportReport } from '../../src/shared/imports/import-report.js';
import { readSettings } from '../../src/platform/settings/settings.js';

interface ImportResult {
  created: number;
  updated: number;
  unchanged: number;
  failed: RowFault[];
  warnings: RowFault[];
}

interface Files {
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport>;
}

/** The services behind the commands, without a process for each call. */
export class OperatorServices {
  readonly close = atSuiteEnd(async () => {
    await this.app.close();
    await rm(this.directory, { recursive: true });
  });
  private count = 0;

  private constructor(
    readonly app: INestApplicationContext,
    readonly directory: string,
  ) {}

  static async open(databaseUrl: string): Promise<OperatorServices> {
    const app = await openServices(readSettings({}), databaseUrl);
    return new OperatorServices(app, await mkdtemp(path.join(os.tmpdir(), 'wholesale-files-')));
  }

  async file(content: string | Buffer): Promise<string> {
    const file = path.join(this.directory, `${++this.count}.csv`);
    await writeFile(file, content);
    return file;
  }

  async import(
    files: Files,
    content: string | Buffer,
    options: Partial<ImportOptions> = {},
  ): Promise<ImportResult> {
    const report = await files.import(sourceOf(content), { actor: 'test', ...options });
    const { created, updated, unchanged } = report;
    const result = {
      created,
      updated,
      unchanged,
      failed: await all(report.failed()),
      warnings: await all(report.warnings()),
    };
    await report.close();
    return result;
  }
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Returns the source of an import without a file. */
export function sourceOf(content: string | Buffer): RecordSource {
  const bytes = Buffer.from(content);
  return csvSource(Readable.from([bytes]), bytes.length);
}
