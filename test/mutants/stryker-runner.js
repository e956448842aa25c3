import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { jestExpect as expect } from '@jest/expect';
import * as fc from 'fast-check';
import * as circus from 'jest-circus';

/** The changed code reads here which change is active, and counts here what runs. */
const stryker = {};
Object.assign(globalThis, { ['__stryker__']: stryker });
const [PASSED, FAILED] = [0, 1];
/** Types do not run, so their imports do not count. */
const BESIDE = /^import (?!type)[^;]* from '\.\/([^'/]*)\.js'/gm;

/**
 * Runs specs for Stryker. Its own runner starts all of Jest for each change: 220 ms, and this one 20.
 * Only specs beside the changed file that import it count, because each rule must be covered by its own.
 */
class SpecRunner {
  #loads = 0;
  #specsOf = {};

  init() {
    const { describe, it, test, beforeAll, beforeEach, afterEach, afterAll } = circus;
    Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterEach, afterAll, expect });
    // The samples of `npm test`. Nobody reads the counterexample, so it need not be the smallest.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
    Error.stackTraceLimit = 1;
    this.#specsOf = specsByImport();
  }

  /** Each run loads all sources again, so that none sees what an earlier one remembered. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun({ files }) {
    const tests = [];
    for (const spec of new Set(files.flatMap((file) => this.#specsOf[file] ?? [])))
      tests.push(...(await this.#run(spec)));
    return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant, sandboxFileName, testFilter, hitLimit }) {
    Object.assign(stryker, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
    let nrOfTests = 0;
    try {
      for (const spec of this.#specsOf[sandboxFileName] ?? []) {
        const tests = await this.#run(spec, testFilter);
        if (stryker.hitCount > hitLimit) return { status: 'timeout' };
        nrOfTests += tests.length;
        const failed = tests.find(({ status }) => status === FAILED);
        if (failed) return { ...failed, status: 'killed', killedBy: [failed.id], nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    } catch (error) {
      return { status: 'error', errorMessage: error.stack };
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  /** Runs the tests of the spec, or those of `only`, up to the first failure. */
  async #run(spec, only) {
    let hasFailed = false;
    const watch = ({ name, test }) => {
      if (name === 'test_done') hasFailed ||= test.errors.length > 0;
      if (name !== 'test_start') return;
      stryker.currentTestId = `${spec} ${fullName(test)}`;
      if (hasFailed || (only && !only.includes(stryker.currentTestId))) test.mode = 'skip';
    };
    circus.resetState();
    stryker.currentTestId = undefined;
    await import(`${pathToFileURL(spec)}?load=${++this.#loads}`);
    circus.addEventHandler(watch);
    const { testResults } = await circus.run();
    circus.removeEventHandler(watch);
    return testResults.map(({ testPath: [, ...names], duration, errors }) => ({
      id: `${spec} ${names.join(' ')}`,
      name: names.join(' '),
      timeSpentMs: duration ?? 0,
      status: errors.length > 0 ? FAILED : PASSED,
      failureMessage: errors.join('\n'),
    }));
  }
}

/** The specs beside a file that import it, by its path. */
function specsByImport() {
  const found = {};
  for (const name of readdirSync('src', { recursive: true })) {
    if (!/\.spec\.tsx?$/.test(name)) continue;
    const spec = path.resolve('src', name);
    for (const [, imported] of readFileSync(spec, 'utf8').matchAll(BESIDE))
      (found[path.resolve(spec, '..', `${imported}.ts`)] ??= []).push(spec);
  }
  return found;
}

function fullName({ name, parent }) {
  return parent?.parent ? `${fullName(parent)} ${name}` : name;
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'specs', injectableClass: SpecRunner }];
