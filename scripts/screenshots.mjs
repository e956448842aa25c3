import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run screenshots -- [directory]` takes pictures of every page of the dashboard and the desk on a phone
 * and a desktop, light and dark. `--readme` renews the picture in docs/ instead. Both run like the browser tests, on their own
 * database with a demo store.
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
