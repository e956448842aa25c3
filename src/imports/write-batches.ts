import { ACT_AS } from '../platform/database/database.js';
import type { ImportKind, RowFault, Written } from './import-kind.js';
import type { ImportOptions } from './import-report.js';
import type { ImportSession } from './import-session.js';
import { addFaults, WORK } from './import-tables.js';

interface Batches {
  session: ImportSession;
  kind: ImportKind;
  actor: string;
  total: number;
  onProgress: ImportOptions['onProgress'];
}

/** How many rows were created, updated, or could not be written for what others did meanwhile. */
interface WrittenRows {
  created: number;
  updated: number;
  failed: number;
}

const NEXT = `
  SELECT max(line) AS "upTo" FROM (SELECT line FROM ${WORK} WHERE line > $1 ORDER BY line LIMIT $2) AS next`;

const NOTE = addFaults('SELECT * FROM unnest($1::int[], $2::text[], $3::text[])');

/** One transaction for each batch, so that nobody waits long and a break leaves whole batches. */
export function writeWhatIsGood(batches: Batches): Promise<WrittenRows> {
  return forEachBatch(batches, async (write) => {
    const written = await batches.session.transaction(write);
    await note(batches.session, written.faults);
    return written;
  });
}

/** One transaction for all of them, taken back as soon as one row proves impossible. */
export async function writeAll(batches: Batches): Promise<WrittenRows | 'taken back'> {
  try {
    return await batches.session.transaction(() =>
      forEachBatch(batches, async (write) => {
        const written = await write();
        if (written.faults.length > 0) throw new TakenBack(written.faults);
        return written;
      }),
    );
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    await note(batches.session, error.faults);
    return 'taken back';
  }
}

class TakenBack extends Error {
  constructor(readonly faults: RowFault[]) {
    super('Rows could not be written.');
  }
}

async function forEachBatch(
  { session, kind, actor, total, onProgress }: Batches,
  within: (write: () => Promise<Written>) => Promise<Written>,
): Promise<WrittenRows> {
  const sum: WrittenRows = { created: 0, updated: 0, failed: 0 };
  for (let after = 0; ;) {
    const [{ upTo } = { upTo: null }] = await session.query<{ upTo: number | null }>(NEXT, [
      after,
      kind.batchSize,
    ]);
    if (upTo === null) return sum;
    const lines: [number, number] = [after, upTo];
    const written = await within(async () => {
      await session.query(ACT_AS, [actor]);
      return kind.write({ session, lines, actor });
    });
    sum.created += written.created;
    sum.updated += written.updated;
    sum.failed += new Set(written.faults.map(({ line }) => line)).size;
    after = upTo;
    onProgress?.({ phase: 'writing', done: (sum.created + sum.updated + sum.failed) / total });
  }
}

async function note(session: ImportSession, faults: RowFault[]): Promise<void> {
  if (faults.length === 0) return;
  const column = <Field extends keyof RowFault>(field: Field) => faults.map((fault) => fault[field]);
  await session.query(NOTE, [column('line'), column('column'), column('message')]);
}
