import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ImportKind, MappedHeading, HeadingMapping } from './import-kind.js';
import type { ImportPiece, ImportRun, RunOptions, RunResult, RunState } from './import-run.entity.js';
import type { ImportSession } from './import-session.js';
import { addFaults, changesQuery, createPreview, DROP_FAULTY, PREVIEW } from './import-tables.js';

/** A node without a heartbeat for this time has died, or has lost the database. */
const SILENT = `interval '30 seconds'`;

const IS_ACTIVE = `state IN ('checking', 'applying')`;

// SQL: each statement changes the state of a run, and only one of two parallel requests succeeds.

const BEGIN_CHECK = {
  text: `
    UPDATE import_runs
       SET state = 'checking', checks = checks + 1, options = $2, progress = 0, beat_at = now(),
           ended_at = NULL, fault = NULL, applied_by = NULL
     WHERE id = $1 AND size IS NOT NULL AND state NOT IN ('checking', 'applying', 'applied')
    RETURNING id, checks, state, options, actor, kind, file_name AS "fileName", reading`,
};

const BEGIN_APPLICATION = {
  text: `
    UPDATE import_runs
       SET state = 'applying', applied_by = $3, progress = 0, beat_at = now(), ended_at = NULL, fault = NULL
     WHERE id = $1 AND size IS NOT NULL AND state = 'checked' AND checks = $2
    RETURNING id, checks, state, options, applied_by AS actor, kind, file_name AS "fileName", reading`,
};

/** False after the run was marked as interrupted: another person may have started it again. */
const IS_OURS = '(id, checks, state) = ($1, $2, $3)';

const BEAT = { text: `UPDATE import_runs SET beat_at = now(), progress = $4 WHERE ${IS_OURS} RETURNING id` };

/** Keeps a late worker from writing into the files of the next check, which waits for this lock. */
const OURS_NOW = `(SELECT id FROM import_runs WHERE ${IS_OURS} FOR SHARE) AS ours`;

const DELETE_PIECES = {
  text: `DELETE FROM import_pieces USING ${OURS_NOW} WHERE run_id = ours.id AND file = $4`,
};

const WRITE_PIECE = {
  text: `
    INSERT INTO import_pieces (run_id, file, number, bytes)
    SELECT ours.id, $4, $5::integer, $6::bytea FROM ${OURS_NOW}
    RETURNING number`,
};

const END = {
  text: `
    UPDATE import_runs SET state = $4, fault = $5, result = coalesce($6, result),
           reading = coalesce($7, reading), ended_at = now()
     WHERE ${IS_OURS}`,
};

/** The node that processes it notices this at its next heartbeat. */
const CANCEL = {
  text: `
    UPDATE import_runs SET state = 'cancelled', ended_at = now()
     WHERE id = $1 AND checks = $2 AND state = 'checking'
    RETURNING id`,
};

const INTERRUPT_SILENT = {
  text: `
    UPDATE import_runs SET state = 'interrupted', ended_at = now()
     WHERE ${IS_ACTIVE} AND beat_at < now() - ${SILENT}`,
};

const FORGET_FILES = {
  text: `
    WITH old AS (
      UPDATE import_runs SET size = NULL, lines = NULL, prints = NULL
       WHERE created_at < now() - make_interval(days => $1) AND size IS NOT NULL AND NOT ${IS_ACTIVE}
      RETURNING id)
    DELETE FROM import_pieces USING old WHERE run_id = old.id`,
};

const NEXT_PIECE = {
  text: 'SELECT bytes FROM import_pieces WHERE run_id = $1 AND file = $2 AND number = $3',
};

const STORED_BYTES = {
  text: `
    SELECT coalesce(sum(size), 0)::float8 AS "ofAll",
           coalesce(sum(size) FILTER (WHERE actor = $1), 0)::float8 AS "ofPerson"
      FROM import_runs WHERE size IS NOT NULL`,
};

/** Grouped, because most files of a kind come from one program. No wholesaler uses more than 100 programs. */
const HEADING_MAPPINGS = {
  text: `
    SELECT reading -> 'headings' AS headings FROM import_runs
     WHERE kind = $1 AND state = 'applied' AND reading -> 'headings' <> '[]'
     GROUP BY 1 ORDER BY max(id) DESC LIMIT 100`,
};

/** Equal for rows that would be written in the same way. */
const ROW_HASH = 'hashtextextended(ROW(change.name, change.is_new, change.fields)::text, 0)';

/** Bounded by the rows of a file. */
const STORE_HASHES = `
  UPDATE import_runs
     SET (lines, prints) = (SELECT array_agg(line), array_agg(${ROW_HASH}) FROM ${PREVIEW} AS change)
   WHERE ${IS_OURS}`;

const REFUSE_CHANGED = (kind: ImportKind) =>
  addFaults(`
    SELECT change.line, '', 'is not as in the check any more: check the file again'
      FROM (${changesQuery(kind)}) AS change
      LEFT JOIN (SELECT unnest(lines) AS line, unnest(prints) AS print FROM import_runs
                  WHERE ${IS_OURS}) AS seen
             ON seen.line = change.line
     WHERE seen.print IS DISTINCT FROM ${ROW_HASH}`);

/** A CSV file becomes about a fifth. */
const [compress, expand] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The values that `IS_OURS` compares. */
export type RunWorker = [id: number, checks: number, state: RunState];

export type StartedRun = Pick<
  ImportRun,
  'id' | 'checks' | 'state' | 'options' | 'actor' | 'kind' | 'fileName' | 'reading'
>;

@Injectable()
export class ImportRunsRepository {
  constructor(private readonly database: Database) {}

  async interruptSilent(): Promise<void> {
    await this.database.query(INTERRUPT_SILENT, []);
  }

  /** Deletes older files, except files of active runs. */
  async forgetFiles(days: number): Promise<void> {
    await this.database.query(FORGET_FILES, [days]);
  }

  async storedBytes(actor: string): Promise<{ ofPerson: number; ofAll: number }> {
    const [sums] = await this.database.query<{ ofPerson: number; ofAll: number }>(STORED_BYTES, [actor]);
    return sums!;
  }

  async beginCheck(id: number, options: RunOptions): Promise<StartedRun | undefined> {
    const [run] = await this.database.query<StartedRun & object>(BEGIN_CHECK, [id, options]);
    return run;
  }

  async beginApplication(id: number, checks: number, actor: string): Promise<StartedRun | undefined> {
    const [run] = await this.database.query<StartedRun & object>(BEGIN_APPLICATION, [id, checks, actor]);
    return run;
  }

  async cancel(id: number, checks: number): Promise<boolean> {
    return (await this.database.query(CANCEL, [id, checks])).length > 0;
  }

  /** Returns false if the run no longer belongs to the worker. */
  async beat(worker: RunWorker, progress: number): Promise<boolean> {
    return (await this.database.query(BEAT, [...worker, progress])).length > 0;
  }

  async end(
    worker: RunWorker,
    state: RunState,
    fault: string | null,
    { result, reading }: { result?: RunResult; reading?: HeadingMapping | undefined },
  ): Promise<void> {
    await this.database.query(END, [...worker, state, fault, result, reading]);
  }

  /** The mappings of other headings in applied files, the newest first. */
  async readingsOf(kind: string): Promise<MappedHeading[][]> {
    const rows = await this.database.query<{ headings: MappedHeading[] }>(HEADING_MAPPINGS, [kind]);
    return rows.map(({ headings }) => headings);
  }

  async deletePieces(worker: RunWorker, file: ImportPiece['file']): Promise<void> {
    await this.database.query(DELETE_PIECES, [...worker, file]);
  }

  /** Returns false if the run no longer belongs to this worker. */
  async writePiece(
    worker: RunWorker,
    file: ImportPiece['file'],
    number: number,
    bytes: Buffer,
  ): Promise<boolean> {
    const compressed = await compress(bytes);
    return (await this.database.query(WRITE_PIECE, [...worker, file, number, compressed])).length > 0;
  }

  async piece(id: number, file: ImportPiece['file'], number: number): Promise<Buffer | undefined> {
    const [piece] = await this.database.query<{ bytes: Buffer }>(NEXT_PIECE, [id, file, number]);
    return piece && expand(piece.bytes);
  }
}

/** An application writes only rows that the person saw in the check. */
export async function compareChecked(
  session: ImportSession,
  kind: ImportKind,
  worker: unknown[],
  isCheck: boolean,
): Promise<void> {
  if (isCheck) await session.run(createPreview(kind));
  await session.query(isCheck ? STORE_HASHES : REFUSE_CHANGED(kind), worker);
  if (!isCheck) await session.run(DROP_FAULTY);
}
