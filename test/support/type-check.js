import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TYPESCRIPT = 'node_modules/typescript/bin/tsc';
const REMEMBERED = 'node_modules/.cache/types.tsbuildinfo';

/**
 * swc runs the suites without a type check. In a run of all suites TypeScript checks beside them, and a fault
 * fails the run. It would double the time of a few suites, so for those the editor and lint check.
 */
export default class TypeCheck {
  constructor({ rootDir, watch, watchAll, testPathPatterns }) {
    this.rootDir = rootDir;
    this.isWhole = !watch && !watchAll && !testPathPatterns.isSet();
  }

  onRunStart() {
    this.faults = this.isWhole ? typeFaults(this.rootDir) : Promise.resolve('');
  }

  async onRunComplete() {
    const faults = await this.faults;
    if (faults !== '') this.error = new Error(`The types are wrong:\n${faults}`);
  }

  getLastError() {
    return this.error;
  }
}

async function typeFaults(rootDir) {
  const args = ['--noEmit', '--pretty', '--incremental', '--tsBuildInfoFile', REMEMBERED];
  try {
    await run(process.execPath, [TYPESCRIPT, ...args], { cwd: rootDir });
    return '';
  } catch (error) {
    return error.stdout || error.message;
  }
}
