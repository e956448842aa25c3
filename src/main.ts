import 'reflect-metadata';
import { explain } from './doors/cli/explain.js';
import { say } from './host/startup/announce.js';
import { forTerminal } from './platform/terminal/for-terminal.js';
import { serve } from './host/startup/serve.js';
import { ownSettings } from './platform/settings/own-settings.js';

try {
  await serve(ownSettings(process, say));
} catch (error) {
  // Whoever starts the service is the operator: told in plain words what can be mended, anything else with its stack.
  process.stderr.write(forTerminal(process.stderr, `${explain(error).message}\n`));
  process.exit(1);
}
