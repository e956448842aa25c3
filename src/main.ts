import 'reflect-metadata';
import { explain } from './doors/cli/explain.js';
import { say } from './host/startup/announce.js';
import { forTerminal } from './platform/validation/texts.js';
import { ownSettings } from './platform/settings/read-settings.js';

try {
  const settings = ownSettings(process, say);
  // Whoever only starts the others does not load what serves.
  if (settings.workers === 1) await (await import('./host/startup/serve.js')).serve(settings);
  else await (await import('./host/workers/serve-with-workers.js')).serveWithWorkers(settings);
} catch (error) {
  // Whoever starts the service is the operator: told in plain words what can be mended, anything else with its stack.
  process.stderr.write(forTerminal(process.stderr, `${explain(error).message}\n`));
  process.exit(1);
}
