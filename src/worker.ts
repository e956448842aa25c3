import 'reflect-metadata';
import { explain } from './doors/cli/explain.js';
import { work } from './host/workers/work.js';
import { readSettings } from './platform/settings/read-settings.js';
import { forTerminal } from './platform/terminal/for-terminal.js';
import { PrimaryLine } from './platform/workers/primary-line.js';

// One of several processes that serve together. What a file said of the settings is in the environment, which the first process hands down.
try {
  await work(readSettings(process.env), new PrimaryLine());
} catch (error) {
  process.stderr.write(forTerminal(process.stderr, `${explain(error).message}\n`));
  process.exit(1);
}
