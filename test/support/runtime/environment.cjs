'use strict';

/** Where the suites run: in Node itself, not in a virtual machine. What Jest puts in place of Node's own for a suite goes with it. */
module.exports = class PlainEnvironment {
  global = globalThis;
  #replaced = { console: globalThis.console, exit: process.exit };

  async setup() {
    // What Jest measures with, whatever a suite does to the clock.
    globalThis[Symbol.for('jest-native-now')] ??= Date.now;
  }

  async teardown() {
    globalThis.console = this.#replaced.console;
    process.exit = this.#replaced.exit;
  }

  /** Jest insists on it. There is none. */
  getVmContext() {
    return null;
  }
};
