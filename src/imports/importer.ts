import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { translateDatabaseError } from '../platform/database/database-error.js';
import type { ImportKind } from './import-kind.js';
import type { ImportOptions, ImportOutcome, ImportReport } from './import-report.js';
import { ImportSession } from './import-session.js';
import { sessionReport } from './session-report.js';
import { FAULTS, GOOD, WORK } from './import-tables.js';
import {
  askedValues,
  createStagingTables,
  INDEX_WORK,
  KEEP_ASKED,
  markRepetitions,
} from './staging-tables.js';
import type { RecordSource } from './record-source.js';
import { stageRecords } from './stage-records.js';
import { writeAll, writeWhatIsGood } from './write-batches.js';

const COUNT = `
  SELECT (SELECT count(*)::int FROM ${GOOD}) AS good,
         (SELECT count(*)::int FROM ${WORK} WHERE is_new) AS new, (SELECT count(*)::int FROM ${WORK} WHERE NOT is_new) AS changed,
         EXISTS (SELECT FROM ${FAULTS} WHERE NOT is_warning) AS faulty`;

interface Counts {
  good: number;
  new: number;
  changed: number;
  faulty: boolean;
}

/** Reads a stream of records, names every bad one, and writes the good ones: inside the service, or for a command. */
@Injectable()
export class Importer {
  constructor(private readonly dataSource: DataSource) {}

  async run(kind: ImportKind, source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const session = await ImportSession.open(this.dataSource);
    try {
      if (!options.dryRun) await session.claim(kind.name);
      const heading = await stage(session, kind, source, options);
      const counts = await compare(session, kind);
      const written = await write(session, kind, counts, options);
      if (!options.dryRun) {
        await session.giveUpClaim(kind.name);
        // Changes are counted when the session is idle, at most once a second without this.
        await session.run('SELECT pg_stat_force_next_flush()');
        await session.run('SELECT analyse_grown()');
      }
      if (kind.warn && written.done) await session.run(kind.warn);
      return await sessionReport(session, kind, heading, options, written);
    } catch (error) {
      await session.close();
      throw translateDatabaseError(error);
    }
  }
}

async function stage(session: ImportSession, kind: ImportKind, source: RecordSource, options: ImportOptions) {
  await session.run(createStagingTables(kind));
  await session.query(KEEP_ASKED, askedValues(options));
  const heading = await stageRecords(session, kind, source, options);
  await session.run(markRepetitions(kind));
  return heading;
}

async function compare(session: ImportSession, kind: ImportKind): Promise<Counts> {
  for (const step of kind.compare) await (typeof step === 'string' ? session.run(step) : step(session));
  await session.run(INDEX_WORK);
  const [counts] = await session.query<Counts>(COUNT);
  return counts!;
}

const NOTHING: ImportOutcome = { done: false, created: 0, updated: 0, unchanged: 0 };

async function write(
  session: ImportSession,
  kind: ImportKind,
  counts: Counts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  if (options.allOrNothing && counts.faulty) return NOTHING;
  const unchanged = counts.good - counts.new - counts.changed;
  if (options.dryRun) return { done: true, created: counts.new, updated: counts.changed, unchanged };
  const batches = {
    session,
    kind,
    actor: options.actor,
    total: counts.new + counts.changed,
    onProgress: options.onProgress,
  };
  const written = await (options.allOrNothing ? writeAll(batches) : writeWhatIsGood(batches));
  if (written === 'taken back') return NOTHING;
  const { created, updated, failed } = written;
  return { done: true, created, updated, unchanged: counts.good - created - updated - failed };
}
