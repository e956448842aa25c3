'use strict';
const asyncHooks = require('node:async_hooks');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compiledPath } = require('../compiled-path.cjs');

/** The key under which jest-circus keeps the listeners of a suite. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

/** Jest asks for the source maps of the files in an error stack. */
const SOURCE_MAPS = {
  get: (url) => (/^file:.*\.tsx?(\?|$)/.test(url) ? `${compiledPath(fileURLToPath(url))}.map` : undefined),
  *[Symbol.iterator]() {},
};

let imports = 0;

/**
 * jest-circus keeps the running test in this. Tests run one at a time, so a variable does; up to Node 22 the
 * real one makes all promises slower.
 */
class OneAtATime {
  #current;

  getStore() {
    return this.#current;
  }

  run(store, work) {
    const before = this.#current;
    const restore = () => (this.#current = before);
    this.#current = store;
    const result = work();
    if (typeof result?.finally === 'function') return result.finally(restore);
    restore();
    return result;
  }
}

/**
 * The runtime of Jest loads all modules again for every suite, which takes longer than most suites. Here Node
 * loads the modules once per worker; only the suite itself and its setup are loaded each time. Mocks of
 * modules do not work.
 */
module.exports = class PlainRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import('../typescript-loader.js');
    return import(`${pathToFileURL(path)}?import=${++imports}`);
  }

  requireModule(path) {
    return require(path);
  }

  /** jest-circus stores the suite that it has read, so each suite gets a new instance. */
  requireInternalModule(path) {
    delete globalThis[LISTENERS];
    delete require.cache[path];
    // Since Node 24 this property cannot be assigned.
    const nodes = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: OneAtATime, configurable: true });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', nodes);
    }
  }

  getSourceMaps() {
    return SOURCE_MAPS;
  }

  getAllCoverageInfoCopy() {}
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  resetModules() {}
  clearAllMocks() {}
  resetAllMocks() {}
  restoreAllMocks() {}
  teardown() {}
};
