import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { useMemoryAsTemporaryDirectory } from '../support/in-memory.js';
import '../support/typescript-loader.js';
const { MUTANTS } = await import('./mutants.ts');

/**
 * Puts one bug after the other into a copy of the sources (one copy per processor), and runs the suite that
 * must notice it. Arguments select bugs by parts of their names. Fails when a suite does not notice its bug,
 * or fails without a bug.
 */
const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ bug }) => wanted.length === 0 || wanted.some((part) => bug.includes(part)));

const SHAPES_DATABASES = /migrations|service-role/;

/** Each worker has its own copy and its own PostgreSQL. */
const WORKERS = Math.max(1, Math.min(availableParallelism(), chosen.length));

execFileSync(process.execPath, ['scripts/link-libraries.mjs']);
execFileSync(process.execPath, ['scripts/build-if-stale.mjs'], { stdio: 'inherit' });
await useMemoryAsTemporaryDirectory();
const { prepareTestServers } = await import('../support/test-server.ts');
const removeServers = await prepareTestServers(WORKERS);
const workers = JSON.parse(process.env.TEST_SERVERS).map((server) => ({ server, copy: copySources() }));
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill();
  for (const { copy } of workers) rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const survivors = [];
try {
  await inWorkers([...new Set(chosen.map(({ suite }) => suite))], async (suite, worker) => {
    if ((await run(worker, suite)) !== 'SURVIVED') throw new Error(`${suite} fails without any bug.`);
  });
  await inWorkers(chosen, async (mutant, worker) => {
    const outcome = await tryMutant(worker, mutant);
    if (outcome !== 'noticed') survivors.push(mutant.bug);
    tell(`${outcome.padEnd(12)} ${mutant.bug}  (${mutant.suite})`);
  });
} finally {
  await removeServers();
}
tell(`\n${chosen.length - survivors.length} of ${chosen.length} bugs are noticed.`);
process.exitCode = survivors.length > 0 || chosen.length === 0 ? 1 : 0;

/**
 * Each free worker takes the next item. A failure is thrown only when all workers have ended, because they share
 * the servers.
 */
async function inWorkers(items, work) {
  const waiting = items.values();
  const outcomes = await Promise.allSettled(
    workers.map(async (worker) => {
      for (const item of waiting) await work(item, worker);
    }),
  );
  for (const { status, reason } of outcomes) if (status === 'rejected') throw reason;
}

/** Copies all files that git tracks or would add, and the build; `node_modules` is shared. */
function copySources() {
  const directory = mkdtempSync(join(tmpdir(), 'wholesale-mutants-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(join(directory, dirname(file)), { recursive: true });
    cpSync(file, join(directory, file), { preserveTimestamps: true });
  }
  // The build is newer than the sources, so it is not made again.
  cpSync('dist', join(directory, 'dist'), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

async function tryMutant({ copy, server }, { file, from, to, suite, only }) {
  // The existing databases were created without the bug.
  const worker = SHAPES_DATABASES.test(file) ? { copy } : { copy, server };
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) return 'NOT THERE';
  const { atime, mtime } = statSync(path);
  const write = (text) => {
    writeFileSync(path, text);
    utimesSync(path, atime, mtime);
    if (file.endsWith('.sql')) return;
    // Some suites run what is built. Types are not checked.
    const { code } = transformSync(text, { filename: file, sourceMaps: false });
    writeFileSync(join(copy, 'dist', file.replace(/\.tsx?$/, '.js')), code);
  };
  write(source.replace(from, () => to));
  try {
    return await run(worker, '-t', only, suite);
  } finally {
    write(source);
  }
}

async function run({ copy, server }, ...tests) {
  const report = join(copy, 'mutant.json');
  rmSync(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--maxWorkers=1',
      '--reporters=default',
      '--silent',
      '--bail=1',
      '--json',
      `--outputFile=${report}`,
      ...tests,
    ],
    {
      cwd: copy,
      stdio: ['ignore', 'ignore', process.env.SHOW ? 'inherit' : 'ignore'],
      env: { ...process.env, TEST_SERVERS: server ? JSON.stringify([server]) : '' },
    },
  );
  running.add(child);
  await new Promise((resolve) => child.once('close', resolve));
  running.delete(child);
  const { numFailedTests, numPassedTests } = readReport(report);
  if (numFailedTests > 0) return 'noticed';
  return numPassedTests > 0 ? 'SURVIVED' : 'NO TEST';
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numFailedTests: 0, numPassedTests: 0 };
  }
}

function tell(line) {
  process.stdout.write(`${line}\n`);
}
