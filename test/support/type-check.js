import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TYPESCRIPT = 'node_modules/typescript/bin/tsc';
const REMEMBERED = 'node_modules/.cache/types.tsbuildinfo';

/**
 * swc, which runs the suites, does not look at types. TypeScript does so beside them, and a fault that it finds fails the run: checked
 * before them, it would make everybody wait who runs a single suite. Who watches has an editor for that.
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
