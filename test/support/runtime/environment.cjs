'use strict';

/**
 * Suites run in Node itself, not in a virtual machine. Globals that Jest replaces are restored after a suite.
 */
module.exports = class PlainEnvironment {
  global = globalThis;
  #replaced = { console: globalThis.console, exit: process.exit };

  async setup() {
    // Jest measures with this clock, even when a suite changes Date.now.
    globalThis[Symbol.for('jest-native-now')] ??= Date.now;
  }

  async teardown() {
    globalThis.console = this.#replaced.console;
    process.exit = this.#replaced.exit;
  }

  /** Jest requires this method. */
  getVmContext() {
    return null;
  }
};
