'use strict';

/** The list of service-log.ts. */
const ERRORS = Symbol.for('errors of the service');

/**
 * Suites run in Node itself, not in a virtual machine. Globals that Jest replaces are restored after a suite.
 */
module.exports = class PlainEnvironment {
  global = globalThis;
  #errorsBefore = 0;
  #replaced = { console: globalThis.console, exit: process.exit };

  async setup() {
    // Jest measures with this clock, even when a suite changes Date.now.
    globalThis[Symbol.for('jest-native-now')] ??= Date.now;
  }

  async teardown() {
    globalThis.console = this.#replaced.console;
    process.exit = this.#replaced.exit;
  }

  /** A failed test shows the errors that the service logged meanwhile, such as the reason of a 500. */
  handleTestEvent({ name, error }) {
    const errors = globalThis[ERRORS] ?? [];
    if (name === 'test_start') this.#errorsBefore = errors.length;
    if (name !== 'test_fn_failure' || errors.length === this.#errorsBefore) return;
    if (error instanceof Error)
      error.stack += `\n\nThe service logged:\n${errors.slice(this.#errorsBefore).join('\n')}`;
  }

  /** Jest requires this method. */
  getVmContext() {
    return null;
  }
};
