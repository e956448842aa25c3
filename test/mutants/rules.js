import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

/**
 * Stryker changes the rules in every possible way, one at a time, and runs their own suites on each change. A
 * change that no suite notices must be in survivors.json with a reason; otherwise the run fails.
 */
const REPORT = 'reports/mutants.json';
const EXPLAINED = new URL('survivors.json', import.meta.url);

const stryker = spawnSync(
  process.execPath,
  ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// Each run compiles the changed sources in a new folder; nothing reads them again.
rmSync('node_modules/.cache/compiled/.stryker-tmp', { recursive: true, force: true });
if (stryker.status !== 0) process.exit(stryker.status ?? 1);

const { files } = JSON.parse(readFileSync(REPORT, 'utf8'));
const mutants = Object.entries(files).flatMap(([file, { source, mutants: all }]) =>
  all.map(({ status, location, replacement: to }) => ({
    status,
    number: location.start.line,
    file,
    line: source.split('\n')[location.start.line - 1].trim(),
    from: textAt(source, location),
    to,
  })),
);
const explained = new Set(JSON.parse(readFileSync(EXPLAINED, 'utf8')).map(nameOf));
const survivors = mutants.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status));
const unexplained = survivors.filter((mutant) => !explained.has(nameOf(mutant)));

for (const { file, number, line, from, to } of unexplained)
  tell(`No suite notices ${file}:${number}: ${JSON.stringify({ file, line, from, to })}`);
const score = (100 * (mutants.length - survivors.length)) / mutants.length;
tell(
  `${mutants.length} mutants, ${score.toFixed(1)} % of them noticed; ` +
    `${survivors.length - unexplained.length} survivors are explained, ${unexplained.length} are not.`,
);
process.exitCode = unexplained.length > 0 ? 1 : 0;

/** The name has no line number, so that it stays valid when the line moves. */
function nameOf({ file, line, from, to }) {
  return JSON.stringify([file, line, from, to]);
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

function tell(line) {
  process.stdout.write(`${line}\n`);
}
