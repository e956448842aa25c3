import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import { ACT_AS } from '../../platform/database/database.js';
import { DedicatedConnections } from '../../platform/database/dedicated-connection.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { Heading } from './heading.js';
import type { ImportKind, ImportOptions, RowFault, WriteResult } from './import-kind.js';
import { type ImportOutcome, type ImportReport, createReport } from './import-report.js';
import { ImportSession } from './import-session.js';
import {
  recordFaults,
  optionValues,
  createStagingTables,
  FAULTS,
  GOOD,
  INDEX_WORK,
  INSERT_OPTIONS,
  markRepetitions,
  WORK,
} from './import-tables.js';
import type { RecordSource } from './record-source.js';
import { stageRecords } from './stage-records.js';

const COUNT = `
  SELECT (SELECT count(*)::int FROM ${GOOD}) AS good,
         (SELECT count(*)::int FROM ${WORK} WHERE is_new) AS new,
         (SELECT count(*)::int FROM ${WORK} WHERE NOT is_new) AS changed,
         EXISTS (SELECT FROM ${FAULTS} WHERE NOT is_warning) AS faulty`;

interface Counts {
  good: number;
  new: number;
  changed: number;
  faulty: boolean;
}

/** Imports a stream of records: reports every bad row, and writes the good ones. */
@Injectable()
export class Importer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: DedicatedConnections,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async run(kind: ImportKind, source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const connection = await this.connections.open(options.isSingle ? 'record' : 'file', options.signal);
    const session = new ImportSession(this.dataSource, connection);
    try {
      // Reports show times in the zone of files and pages.
      await session.query(`SELECT set_config('TimeZone', $1, false)`, [this.settings.timeZone]);
      if (!options.dryRun) await session.claim(kind.name);
      const run = new ImportInProgress(session, kind, options);
      const [heading, counts] = await session.withSignal(options.signal, async () => [
        await run.stage(source),
        await run.compare(),
      ]);
      const outcome = await run.write(counts);
      if (!options.dryRun) {
        await session.releaseClaim(kind.name);
        await session.analyse();
      }
      if (kind.warn && outcome.done) await session.run(kind.warn);
      return await createReport(session, kind, heading, options, outcome);
    } catch (error) {
      await session.close();
      throw translateDatabaseError(error);
    }
  }
}

const NOTHING: ImportOutcome = { done: false, created: 0, updated: 0, unchanged: 0 };

const NEXT = `
  SELECT max(line) AS "upTo" FROM (SELECT line FROM ${WORK} WHERE line > $1 ORDER BY line LIMIT $2) AS next`;

/** Rolls back the single transaction of an import that writes all rows or none. */
class RolledBack extends Error {
  constructor(readonly faults: RowFault[]) {
    super('Rows could not be written.');
  }
}

class ImportInProgress {
  constructor(
    private readonly session: ImportSession,
    private readonly kind: ImportKind,
    private readonly options: ImportOptions,
  ) {}

  async stage(source: RecordSource): Promise<Heading> {
    await this.session.run(createStagingTables(this.kind));
    await this.session.query(INSERT_OPTIONS, optionValues(this.options));
    const heading = await stageRecords(this.session, this.kind, source, this.options);
    await this.session.run(markRepetitions(this.kind));
    return heading;
  }

  async compare(): Promise<Counts> {
    const { session, kind } = this;
    for (const step of kind.compare) {
      this.options.signal?.throwIfAborted();
      await (typeof step === 'string' ? session.run(step) : step(session));
    }
    await this.options.onCompared?.(session, kind);
    await session.run(INDEX_WORK);
    const [counts] = await session.query<Counts>(COUNT);
    return counts!;
  }

  async write(counts: Counts): Promise<ImportOutcome> {
    const { allOrNothing, dryRun } = this.options;
    if (allOrNothing && counts.faulty) return NOTHING;
    const unchanged = counts.good - counts.new - counts.changed;
    if (dryRun) return { done: true, created: counts.new, updated: counts.changed, unchanged };
    return allOrNothing ? this.writeAll(counts) : this.writeGood(counts);
  }

  /** One transaction for each batch: locks are short, and an interruption leaves whole batches. */
  private writeGood(counts: Counts): Promise<ImportOutcome> {
    return this.forEachBatch(counts, async (write) => {
      const written = await this.session.transaction(write);
      await recordFaults(this.session, written.faults);
      return written;
    });
  }

  /** One transaction for all batches, rolled back at the first row that cannot be written. */
  private async writeAll(counts: Counts): Promise<ImportOutcome> {
    try {
      return await this.session.transaction(() =>
        this.forEachBatch(counts, async (write) => {
          const written = await write();
          if (written.faults.length > 0) throw new RolledBack(written.faults);
          return written;
        }),
      );
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      await recordFaults(this.session, error.faults);
      return NOTHING;
    }
  }

  /** Rows that changed between comparison and lock are `failed`. */
  private async forEachBatch(
    counts: Counts,
    within: (write: () => Promise<WriteResult>) => Promise<WriteResult>,
  ): Promise<ImportOutcome> {
    const { session, kind, options } = this;
    const [total, sum] = [counts.new + counts.changed, { created: 0, updated: 0, failed: 0 }];
    for (let after = 0; ;) {
      const [next] = await session.query<{ upTo: number | null }>(NEXT, [after, kind.batchSize]);
      const { created, updated, failed } = sum;
      if (!next?.upTo)
        return { done: true, created, updated, unchanged: counts.good - created - updated - failed };
      const lines: [number, number] = [after, next.upTo];
      const written = await within(async () => {
        await session.query(ACT_AS, [options.actor, '']);
        return kind.write({ session, lines, actor: options.actor });
      });
      sum.created += written.created;
      sum.updated += written.updated;
      sum.failed += new Set(written.faults.map(({ line }) => line)).size;
      after = next.upTo;
      options.signal?.throwIfAborted();
      options.onProgress?.({ phase: 'writing', done: (sum.created + sum.updated + sum.failed) / total });
    }
  }
}
