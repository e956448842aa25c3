'use strict';
const asyncHooks = require('node:async_hooks');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compiledPath } = require('../compiled-path.cjs');

/** What jest-circus keeps its listeners under, of which each suite has its own. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

/** As Jest asks for the map of a file that stands in the stack of an error. */
const SOURCE_MAPS = {
  get: (url) => (/^file:.*\.tsx?(\?|$)/.test(url) ? `${compiledPath(fileURLToPath(url))}.map` : undefined),
  *[Symbol.iterator]() {},
};

let imports = 0;

/**
 * Jest's own runtime loads everything anew for every suite, into a virtual machine of its own: the service, with all that it is built
 * from, takes longer to load than most suites take. Here Node loads the modules, once for all suites of a worker; only the suite
 * itself, and what is set up for it, is loaded each time. Nothing can be mocked, which nobody does.
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

  /** jest-circus remembers the suite that it has read: each gets a new one. */
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
    // Since Node 24 it cannot be assigned to.
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

  /** In what jest-circus keeps the test that is under way. Each that is left makes every promise of the suites after it dearer, up to Node 22. */
  teardown() {
    for (const context of this.#contexts) context.disable();
  }
};
