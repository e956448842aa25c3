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
 * The runtime of Jest loads all modules again for every suite, which takes longer than most suites. Here Node
 * loads the modules once per worker; only the suite itself and its setup are loaded each time. Mocks of
 * modules do not work.
 */
module.exports = class PlainRuntime {
  #contexts = [];

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
    const { AsyncLocalStorage } = asyncHooks;
    const contexts = this.#contexts;
    class Remembered extends AsyncLocalStorage {
      constructor() {
        super();
        contexts.push(this);
      }
    }
    // Since Node 24 this property cannot be assigned.
    const nodes = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: Remembered, configurable: true });
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

  /**
   * jest-circus keeps the running test in these. Up to Node 22 each one that stays enabled makes all later
   * promises slower.
   */
  teardown() {
    for (const context of this.#contexts) context.disable();
  }
};
