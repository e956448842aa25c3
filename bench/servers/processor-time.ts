import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** Returns the processor time of a process and all its children, as Linux counts it. */
export function processorMs(pid: number): number {
  const stat = ifAlive(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The name before the bracket may contain spaces. The 12th to 15th field are ticks: of the process in user
  // and kernel mode, and of its children that have ended.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(pid).reduce((sum, child) => sum + processorMs(child), ticks * MS_PER_TICK);
}

function childrenOf(pid: number): number[] {
  const children = ifAlive(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? '';
  return children.split(' ').filter(Boolean).map(Number);
}

export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The process may end between the two reads. */
function ifAlive<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return undefined;
    throw error;
  }
}
