import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  VirtualColumn,
} from 'typeorm';
import { IdColumn } from '../../platform/database/columns-of.js';
import type { ImportOptions, MappedHeading, HeadingMapping, RowFault } from './import-kind.js';
import type { RowChange } from './import-report.js';

export const RUN_STATES = [
  'uploading',
  'checking',
  'checked',
  'applying',
  'applied',
  'failed',
  'interrupted',
  'cancelled',
] as const;

export type RunState = (typeof RUN_STATES)[number];

/** The choices of a person. Each kind of file uses some of them. Times are ISO texts. */
export interface RunOptions extends Pick<
  ImportOptions,
  'overwrite' | 'force' | 'updateOnly' | 'oldSlips' | 'maxChange' | 'newDeliveryCharge'
> {
  countedAt?: string;
  from?: string;
  to?: string;
  /** The courier, and the code of the plan, of all rows of a file without this column. */
  courier?: string;
  plan?: string;
  /** The mapping that a person chose for the file's other headings. */
  headings?: MappedHeading[];
}

export interface RunCounts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  warned: number;
}

/** The first of each list. The files have the whole lists. */
export interface RunResult extends RunCounts {
  changes: RowChange[];
  faults: RowFault[];
  warnings: RowFault[];
  /** Additional text of the kind of file. */
  more?: string;
  /** The number of the scheduled change that it made. */
  change?: number;
}

/** A file that a person uploads, checks and applies. Any node of the service can process it. */
@Entity('import_runs')
@Index('import_runs_active', ['kind'], { unique: true, where: `state IN ('checking', 'applying')` })
@Check('import_runs_state', `state IN (${RUN_STATES.map((state) => `'${state}'`).join(', ')})`)
export class ImportRun {
  @IdColumn() id: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('text') actor: string;
  @Column('text') kind: string;
  @Column('text') fileName: string;
  /** In bytes. Null while the file arrives, and once it is deleted. */
  @Column('integer', { nullable: true }) size: number | null;
  @Column('text') state: RunState;
  @Column('jsonb', { default: () => `'{}'` }) options: RunOptions;
  /** Null before the first check has read the heading. */
  @Column('jsonb', { nullable: true }) reading: HeadingMapping | null;
  /** Counts the checks. A person applies the check of the page. */
  @Column('integer', { default: 0 }) checks: number;
  @Column('text', { nullable: true }) appliedBy: string | null;
  @Column('real', { default: 0 }) progress: number;
  /** The heartbeat of the node that processes it. */
  @Column('timestamptz', { default: () => 'now()' }) beatAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) fault: string | null;
  /** Not selected by default, because it may have megabytes. */
  @Column('jsonb', { nullable: true, select: false }) result: RunResult | null;
  @VirtualColumn('jsonb', { query: (run) => `${run}.result - '{changes,faults,warnings}'::text[]` })
  counts: RunCounts | null;
  /** The rows that the check would write, and their hashes. An application writes only these rows. */
  @Column('integer', { array: true, nullable: true, select: false }) lines: number[] | null;
  @Column('bigint', { array: true, nullable: true, select: false }) prints: string[] | null;
}

/** A part of a file of a run. Every node can read it. It is deleted with the run. */
@Entity('import_pieces')
@Check('import_pieces_file', `file IN ('upload', 'refused', 'changes')`)
export class ImportPiece {
  @PrimaryColumn('integer')
  @ForeignKey(() => ImportRun, { name: 'import_pieces_run_fk', onDelete: 'CASCADE' })
  runId: number;
  @PrimaryColumn('text') file: 'upload' | 'refused' | 'changes';
  @PrimaryColumn('integer') number: number;
  /** Compressed. */
  @Column('bytea') bytes: Buffer;
}
