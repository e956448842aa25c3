interface LeftOut {
  field: string;
  code: string;
  message: string;
}

/** As many of the faults as fit, and how many more there were. */
export function withinBytes<Fault extends object>(
  faults: readonly Fault[],
  mostBytes: number,
): (Fault | LeftOut)[] {
  const kept: (Fault | LeftOut)[] = [];
  let bytes = 0;
  for (const fault of faults) {
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    if (bytes > mostBytes) return [...kept, leftOut(faults.length - kept.length)];
    kept.push(fault);
  }
  return kept;
}

function leftOut(count: number): LeftOut {
  return { field: '', code: 'not_kept', message: `and ${count} more` };
}
