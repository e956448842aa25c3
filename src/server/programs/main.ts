import 'reflect-metadata';
import { explain } from '../../cli/explain.js';
import { say } from '../startup/announce.js';
import { surviveLostLog } from '../startup/process.js';
import { forTerminal } from '../../platform/validation/texts.js';
import { ownSettings } from '../../platform/settings/read-settings.js';

async function main(): Promise<void> {
  try {
    const settings = ownSettings(process, say);
    // The process that starts workers does not load the application.
    if (settings.workers === 1) await (await import('../startup/serve.js')).serve(settings);
    else await (await import('../workers/serve-with-workers.js')).serveWithWorkers(settings);
  } catch (error) {
    // A known fault is printed in plain words, any other error with its stack.
    process.stderr.write(forTerminal(process.stderr, `${explain(error).message}\n`));
    process.exit(1);
  }
}

surviveLostLog();
void main();
