import 'reflect-metadata';
import { describeError } from '../../cli/explain.js';
import { printLine } from '../startup/announce.js';
import { surviveLostLog } from '../startup/process.js';
import { forTerminal } from '../../platform/validation/texts.js';
import { loadSettings } from '../../platform/settings/read-settings.js';

async function main(): Promise<void> {
  try {
    const settings = loadSettings(process, printLine);
    // The process that starts workers does not load the application.
    if (settings.workers === 1) await (await import('../startup/serve.js')).serve(settings);
    else await (await import('../workers/serve-with-workers.js')).serveWithWorkers(settings);
  } catch (error) {
    // A known fault is printed in plain words, any other error with its stack.
    process.stderr.write(forTerminal(process.stderr, `${describeError(error).message}\n`));
    process.exit(1);
  }
}

surviveLostLog();
void main();
