import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run screenshots -- [directory]`: every page of the dashboard as a phone and a desk show it, light and dark. `--readme` makes the one
 * picture of docs/ anew instead. They are made like the browser tests, on a database of their own with a shop in it.
 */
const [given = 'screenshots'] = process.argv.slice(2);
const what =
  given === '--readme'
    ? { PICTURE_OF_README: path.resolve('docs/dashboard.png') }
    : { PICTURES: path.resolve(given) };

const { status } = spawnSync('npm', ['run', 'test:browser', '--', '--testMatch', '**/screenshots.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...what },
});
process.exitCode = status ?? 1;
