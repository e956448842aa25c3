import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Raw, Repository } from 'typeorm';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { isUniqueViolation, translateDatabaseError } from '../../platform/database/database-error.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { csvRow } from './csv-format.js';
import { guardFormula } from './cells.js';
import { removeAbandonedCopies, withFileCopy } from './file-copy.js';
import { ImportFiles } from './file-source.js';
import type { ImportOptions, MappedHeading, HeadingMapping, RowFault } from './import-kind.js';
import { type ImportReport, refusedRowsFile, type RowChange } from './import-report.js';
import { ImportPiece, ImportRun, type RunOptions, type RunResult } from './import-run.entity.js';
import {
  type StartedRun,
  compareChecked,
  ImportRunsRepository,
  type RunWorker,
} from './import-runs.repository.js';
import { replaceFlags } from './option-labels.js';
import type { RecordImport } from './record-source.js';

const TIDY_MS = 60_000;

/** Only the files are deleted. The history stays. */
const FILES_KEPT_DAYS = 7;

/** Bytes of all files of a person, and of all people, that are stored at the same time. */
export const MAX_STORED = { ofPerson: 1_000_000_000, ofAll: 4_000_000_000 };

const HEARTBEAT_MS = 3_000;

/** An upload takes minutes at most. */
const UPLOAD_MS = 3_600_000;

const PIECE_BYTES = 512 * 1_024;

/** Limit of the failed runs on the Today page. */
const MAX_FAILED_RUNS = 30;

/** Rows of each list on the page. The files have all rows. */
const MAX_LISTED_ROWS = 100;

const ACTIVE = ['checking', 'applying'] as const;

const MAX_NAME_LENGTH = 200;

interface Upload {
  kind: string;
  name: string;
  bytes: AsyncIterable<Buffer | string>;
}

type Failure = [state: ImportRun['state'], fault: string | null];

const INTERRUPTED: Failure = ['interrupted', null];

/**
 * Imports in the browser: a person uploads, checks and applies a file. The service does the work after the
 * request. The database stores the file, so each node can check and apply it.
 */
@Injectable()
export class ImportRuns extends BackgroundJob {
  private readonly working = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly repository: ImportRunsRepository,
    @InjectRepository(ImportRun) private readonly imports: Repository<ImportRun>,
    private readonly files: ImportFiles,
  ) {
    super('import_runs', TIDY_MS);
  }

  async run(): Promise<void> {
    await this.repository.interruptSilent();
    const createdAt = Raw((column) => `${column} < now() - make_interval(secs => ${UPLOAD_MS / 1_000})`);
    await this.imports.delete({ state: 'uploading', createdAt });
    await this.repository.forgetFiles(FILES_KEPT_DAYS);
    await removeAbandonedCopies();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.working);
    await super.beforeApplicationShutdown();
  }

  /** Runs of all kinds or of these, the newest first. */
  async history(
    { kinds, before }: { kinds?: readonly string[]; before?: number | undefined },
    limit: number,
  ): Promise<ImportRun[]> {
    await this.repository.interruptSilent();
    const where = {
      ...(kinds && { kind: In(kinds) }),
      ...(before !== undefined && { id: LessThan(before) }),
    };
    return this.imports.find({ where, order: { id: 'DESC' }, take: limit });
  }

  async find(id: number): Promise<ImportRun> {
    await this.repository.interruptSilent();
    const run = await this.imports.createQueryBuilder('run').addSelect('run.result').where({ id }).getOne();
    if (!run || run.state === 'uploading') throw importNotFound();
    return run;
  }

  /** Runs of the last week that failed when they were applied, unless a later file was applied. */
  async failed(): Promise<ImportRun[]> {
    await this.repository.interruptSilent();
    return this.imports
      .createQueryBuilder('run')
      .where(
        `run.state IN ('failed', 'interrupted') AND run.appliedBy IS NOT NULL
          AND run.createdAt > now() - interval '7 days'`,
      )
      .andWhere(
        (query) =>
          `NOT EXISTS ${query
            .subQuery()
            .select('1')
            .from(ImportRun, 'later')
            .where(`later.kind = run.kind AND later.state = 'applied' AND later.id > run.id`)
            .getQuery()}`,
      )
      .orderBy('run.id', 'DESC')
      .take(MAX_FAILED_RUNS)
      .getMany();
  }

  /** Stores the file. An incomplete upload leaves nothing. */
  async upload({ kind, name, bytes }: Upload, actor: string): Promise<number> {
    await this.repository.interruptSilent();
    if (await this.imports.existsBy({ kind, state: In(ACTIVE) })) throw importRunning(kind);
    await this.checkQuota(actor);
    const run = { kind, actor, fileName: baseName(name), state: 'uploading' as const };
    const { id } = await this.imports.save(this.imports.create(run));
    try {
      const size = await this.write([id, 0, run.state], 'upload', bytes);
      if (size === 0) throw new DomainError('unreadable_file', 'The file is empty.');
      await this.imports.update(id, { size });
      return id;
    } catch (error) {
      await this.imports.delete(id);
      throw error;
    }
  }

  private async checkQuota(actor: string): Promise<void> {
    const { ofPerson, ofAll } = await this.repository.storedBytes(actor);
    if (ofPerson >= MAX_STORED.ofPerson) throw quotaReached('Your files', MAX_STORED.ofPerson);
    if (ofAll >= MAX_STORED.ofAll) throw quotaReached('The files of all people', MAX_STORED.ofAll);
  }

  /** Starts a check, which finds the changes of the file. The work continues after this call. */
  async check(id: number, files: RecordImport, options: RunOptions): Promise<void> {
    const run = await this.begin(id, () => this.repository.beginCheck(id, options));
    this.trackWork(this.work(run, files));
  }

  /** Starts to write the changes of the check with this number. The work continues after this call. */
  async apply(id: number, checks: number, files: RecordImport, actor: string): Promise<void> {
    const run = await this.begin(id, () => this.repository.beginApplication(id, checks, actor));
    this.trackWork(this.work(run, files));
  }

  /** Ends the check with this number. Other files of its kind can be checked then. */
  async cancel(id: number, checks: number): Promise<void> {
    if (!(await this.repository.cancel(id, checks)))
      throw new DomainError('conflict', 'This check has ended already. Look at its result.');
  }

  /** Resolves when all runs of this node have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.working);
  }

  /** Throws if the file does not exist, or was deleted. */
  async *file(id: number, file: ImportPiece['file']): AsyncGenerator<Buffer> {
    for (let number = 0; ; number++) {
      const bytes = await this.repository.piece(id, file, number);
      if (!bytes && number === 0) throw importNotFound();
      if (!bytes) return;
      yield bytes;
    }
  }

  private async begin(runId: number, begin: () => Promise<StartedRun | undefined>): Promise<StartedRun> {
    await this.repository.interruptSilent();
    try {
      const run = await begin();
      if (run) return run;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const { id, kind } = await this.imports.findOneByOrFail({ id: runId });
      // The first check of an upload: no page shows it yet.
      await this.imports.delete({ id, state: 'uploading' });
      throw importRunning(kind);
    }
    throw overtakenError();
  }

  private trackWork(work: Promise<void>): void {
    const settled = work.finally(() => this.working.delete(settled));
    this.working.add(settled);
  }

  private async work(run: StartedRun, files: RecordImport): Promise<void> {
    const { id, checks, state, options, actor } = run;
    const worker: RunWorker = [id, checks, state];
    const isCheck = state === 'checking';
    let progress = 0;
    let reading: HeadingMapping | undefined;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    const beat = setInterval(() => {
      this.repository.beat(worker, progress).then(
        (isOurs) => isOurs || lost.abort(),
        // The next heartbeat may succeed. Without any, other nodes mark the run as interrupted.
        () => undefined,
      );
    }, HEARTBEAT_MS);
    try {
      const result = await this.import(worker, files, {
        ...importOptions(options),
        readings: await this.readingsFor(run),
        dryRun: isCheck,
        actor,
        fileName: run.fileName,
        formatMessage: replaceFlags,
        signal,
        onRead: (read) => (reading = read),
        onCompared: (session, kind) => compareChecked(session, kind, worker, isCheck),
        onProgress: ({ phase, done }) => {
          progress = isCheck ? done : (done + (phase === 'writing' ? 1 : 0)) / 2;
        },
      });
      await this.repository.end(worker, isCheck ? 'checked' : 'applied', null, { result, reading });
    } catch (error) {
      const failure = signal.aborted ? INTERRUPTED : this.failureOf(error, isCheck);
      if (reading) reading.isOpen = error instanceof DomainError && error.code === 'wrong_columns';
      await this.repository.end(worker, ...failure, { reading }).catch((cause: unknown) => {
        // Other nodes mark the run as interrupted.
        this.logger.warn(`The end of import run ${id} was not stored: ${String(cause)}`);
      });
    } finally {
      clearInterval(beat);
    }
  }

  /** The mapping of the check, of the person, or of earlier files with the same headings. */
  private async readingsFor({ kind, state, options, reading }: StartedRun): Promise<MappedHeading[][]> {
    if (state === 'applying' && reading) return [reading.headings];
    if (options.headings) return [options.headings];
    return this.repository.readingsOf(kind);
  }

  private import(worker: RunWorker, files: RecordImport, options: ImportOptions): Promise<RunResult> {
    const upload = this.file(worker[0], 'upload');
    return withFileCopy(upload, options.signal, async (copy) => {
      const report = await files.import(await this.files.open(copy, 'The file'), {
        ...options,
        keepRows: true,
      });
      try {
        return await this.keep(worker, report);
      } finally {
        await report.close();
      }
    });
  }

  private async keep(worker: RunWorker, report: ImportReport): Promise<RunResult> {
    const { created, updated, unchanged, failedCount: refused, warningCount: warned } = report;
    const faults = await takeFirst(report.failed());
    const warnings = await takeFirst(report.warnings());
    const changes: RowChange[] = [];
    await this.write(worker, 'refused', refused > 0 ? refusedRowsFile(report) : []);
    if (report.dryRun) await this.write(worker, 'changes', changesFile(report.changes(), changes));
    const [more, change] = [report.more?.text, report.scheduled?.change];
    return { created, updated, unchanged, refused, warned, changes, faults, warnings, more, change };
  }

  /** Replaces the file of an earlier check. Returns its length in bytes. */
  private async write(
    worker: RunWorker,
    file: ImportPiece['file'],
    content: AsyncIterable<Buffer | string> | Iterable<string>,
  ): Promise<number> {
    await this.repository.deletePieces(worker, file);
    let [number, size, length] = [0, 0, 0];
    let pending: Buffer[] = [];
    const flush = async () => {
      if (!(await this.repository.writePiece(worker, file, number++, Buffer.concat(pending))))
        throw overtakenError();
      [pending, length] = [[], 0];
    };
    for await (const part of content) {
      const bytes = Buffer.from(part as string);
      pending.push(bytes);
      size += bytes.length;
      length += bytes.length;
      if (length >= PIECE_BYTES) await flush();
    }
    if (length > 0) await flush();
    return size;
  }

  private failureOf(error: unknown, isCheck: boolean): Failure {
    const translated = translateDatabaseError(error);
    // A command is importing such a file. The check stays valid.
    if (translated instanceof DomainError && translated.code === 'import_running' && !isCheck)
      return ['checked', translated.message];
    if (translated instanceof DomainError && translated.code === 'unavailable')
      this.logger.warn(translated.message);
    if (translated instanceof DomainError) return ['failed', replaceFlags(translated.message)];
    this.logger.error('An import failed', error instanceof Error ? error.stack : String(error));
    return ['failed', 'Something went wrong on our side. The log of the service has the reason.'];
  }
}

function importOptions({
  countedAt,
  from,
  to,
  courier,
  plan,
  headings: _,
  ...options
}: RunOptions): Omit<ImportOptions, 'actor'> {
  const [counted, begin, end] = [countedAt, from, to].map((text) =>
    text === undefined ? undefined : new Date(text),
  );
  const constants = { ...(courier !== undefined && { courier }), ...(plan !== undefined && { plan }) };
  return { ...options, constants, countedAt: counted, from: begin, to: end };
}

async function takeFirst(faults: AsyncIterable<RowFault>): Promise<RowFault[]> {
  const first: RowFault[] = [];
  for await (const fault of faults) if (first.push(fault) === MAX_LISTED_ROWS) break;
  return first;
}

/** Keeps the first changes for the page. */
async function* changesFile(changes: AsyncIterable<RowChange>, first: RowChange[]): AsyncGenerator<string> {
  yield csvRow(['row', 'name', 'column', 'old', 'new']);
  for await (const change of changes) {
    const { line, name, fields } = change;
    if (first.length < MAX_LISTED_ROWS) first.push(change);
    const cells = fields.length > 0 ? fields : [['', '', '']];
    yield cells
      .map((field) => csvRow([line, ...[name, ...field].map((text) => guardFormula(text ?? ''))]))
      .join('');
  }
}

/** Browsers send a name. Other programs may send a path. */
function baseName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!.toWellFormed();
  return [...last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')].slice(0, MAX_NAME_LENGTH).join('') || 'file';
}

function quotaReached(whose: string, max: number): DomainError {
  return new DomainError(
    'rate_limited',
    `${whose} of the last ${FILES_KEPT_DAYS} days have reached the limit of ${max / 1_000_000} MB. A file ` +
      `is deleted ${FILES_KEPT_DAYS} days after its upload: try again later, or import it with the command.`,
  );
}

function importRunning(kind: string): DomainError {
  return new DomainError(
    'import_running',
    `Another file of ${kind} is being checked or applied. Try again when it has ended.`,
  );
}

function overtakenError(): DomainError {
  return new DomainError(
    'conflict',
    'Another person checked, applied or deleted this file in the meantime. Look at its state now.',
  );
}

function importNotFound(): DomainError {
  return new DomainError('import_not_found', 'There is no such import, or its files were deleted.');
}
