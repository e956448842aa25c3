#!/usr/bin/env node
import 'reflect-metadata';
import { describeError } from './cli/explain.js';
import { DomainError } from './platform/errors/domain-error.js';
import { printLine } from './server/startup/announce.js';
import { surviveLostLog } from './server/startup/process.js';
import { forTerminal } from './platform/validation/texts.js';
import { loadSettings } from './platform/settings/settings.js';

async function main(): Promise<void> {
  try {
    refuseArguments(process.argv.slice(2));
    const settings = loadSettings(process, printLine);
    // Wrong settings are reported before the application loads.
    await (await import('./server/startup/serve.js')).serve(settings);
  } catch (error) {
    // A known fault is printed in plain words, any other error with its stack.
    process.stderr.write(forTerminal(process.stderr, `${describeError(error).message}\n`));
    process.exit(1);
  }
}

function refuseArguments([argument]: string[]): void {
  if (argument === undefined) return;
  throw new DomainError(
    'wrong_settings',
    `The service takes no arguments, but got "${argument}". Its settings are in the environment or ` +
      'in .env: see .env.example. Commands are a program of their own: "wholesale help".',
  );
}

surviveLostLog();
void main();
