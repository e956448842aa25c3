import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TYPESCRIPT = 'node_modules/typescript/bin/tsc';
const REMEMBERED = 'node_modules/.cache/types.tsbuildinfo';

/**
 * swc runs the suites without a type check. TypeScript checks beside them, and a fault fails the run. A check
 * before the suites would delay every focused run. In watch mode the editor checks.
 */
export default class TypeCheck {
  constructor({ rootDir, watch, watchAll }) {
    this.rootDir = rootDir;
    this.isWatching = watch || watchAll;
  }

  onRunStart() {
    this.faults = this.isWatching ? Promise.resolve('') : typeFaults(this.rootDir);
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
