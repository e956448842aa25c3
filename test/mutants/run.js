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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MUTANTS } from './mutants.js';

/**
 * Puts one bug after the other into a copy of the sources, and runs the suite that is to notice it. Without arguments all of them, or those
 * whose name contains one of the arguments. Fails if a suite does not notice its bug, and if it fails without any.
 */
const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ bug }) => wanted.length === 0 || wanted.some((part) => bug.includes(part)));
const copy = copySources();
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const suites = [...new Set(chosen.map(({ suite }) => suite))];
if ((await run(...suites)) !== 'SURVIVED') throw new Error('The suites fail without any bug.');

const survivors = [];
for (const mutant of chosen) {
  const outcome = await judge(mutant);
  if (outcome !== 'noticed') survivors.push(mutant.bug);
  tell(`${outcome.padEnd(12)} ${mutant.bug}  (${mutant.suite})`);
}
tell(`\n${chosen.length - survivors.length} of ${chosen.length} bugs are noticed.`);
process.exitCode = survivors.length > 0 || chosen.length === 0 ? 1 : 0;

/** What git knows or would take, with the build; `node_modules` is shared. */
function copySources() {
  execFileSync(process.execPath, ['scripts/link-libraries.mjs']);
  execFileSync(process.execPath, ['scripts/build-if-stale.mjs'], { stdio: 'inherit' });
  const directory = mkdtempSync(join(tmpdir(), 'wholesale-mutants-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(join(directory, dirname(file)), { recursive: true });
    cpSync(file, join(directory, file), { preserveTimestamps: true });
  }
  // Newer than the sources, so that no bug is ever built: what runs from the build is not tried here.
  cpSync('dist', join(directory, 'dist'), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

async function judge({ file, from, to, suite, only = '' }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) return 'NOT THERE';
  const { atime, mtime } = statSync(path);
  const write = (text) => {
    writeFileSync(path, text);
    utimesSync(path, atime, mtime);
  };
  write(source.replace(from, () => to));
  try {
    return await run('-t', only, suite);
  } finally {
    write(source);
  }
}

async function run(...tests) {
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
      env: {
        ...process.env,
        NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      },
    },
  );
  await new Promise((resolve) => child.once('close', resolve));
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
