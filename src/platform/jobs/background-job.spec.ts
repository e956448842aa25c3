import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BackgroundJob } from './background-job.js';

const INTERVAL_MS = 1_000;

/** Longer than an interval with its jitter. */
const LATER_MS = 1_500;

class Job extends BackgroundJob {
  /** How each run ends: with this failure, or well. */
  readonly failures: (string | undefined)[] = [];
  ran = 0;
  finished = 0;

  constructor() {
    super('mail', INTERVAL_MS);
  }

  run(): Promise<void> {
    this.ran++;
    const failure = this.failures.shift();
    return failure === undefined ? Promise.resolve() : Promise.reject(new Error(failure));
  }

  protected override finish(): Promise<void> {
    this.finished++;
    return Promise.resolve();
  }
}

/** Lets all that waits for no timer end. */
const settled = () => new Promise(setImmediate);

describe('A background job', () => {
  let job: Job;
  let logged: string[];

  beforeEach(() => {
    job = new Job();
    logged = [];
    const note = (line: string) => void logged.push(line);
    Logger.overrideLogger({ log: note, warn: note, error: note });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  });
  afterEach(async () => {
    await job.beforeApplicationShutdown();
    jest.useRealTimers();
    Logger.overrideLogger(false);
  });

  const intervals = async (count: number) => {
    for (let n = 0; n < count; n++) {
      jest.advanceTimersByTime(LATER_MS);
      await settled();
    }
  };

  it('runs again after a run that failed, and says once why, and that it works again', async () => {
    job.failures.push('away', 'away', 'full', undefined);
    job.start();
    await intervals(3);
    expect([job.ran, job.runs]).toEqual([3, { succeeded: 0, failed: 3 }]);
    expect(logged).toEqual(['away', 'full'].map((why) => `The job failed: Error: ${why}`));
    await intervals(2);
    expect([job.ran, job.runs]).toEqual([5, { succeeded: 2, failed: 3 }]);
    expect(logged.slice(2)).toEqual(['The job works again.']);
  });

  it('runs soon after a failure, one run at a time, and goes on by its interval', async () => {
    job.failures.push('away', undefined);
    job.start();
    const [first, same] = [job.runSoon(), job.runSoon()];
    expect(same).toBe(first);
    await first;
    await job.runSoon();
    expect([job.ran, job.runs]).toEqual([2, { succeeded: 1, failed: 1 }]);
    await intervals(1);
    expect(job.ran).toBe(3);
  });

  it('ends with a last step, which a job that fails leaves out, and does not run any more', async () => {
    job.start();
    job.failures.push('away');
    await job.runSoon();
    await job.beforeApplicationShutdown();
    await intervals(2);
    await job.runSoon();
    expect([job.ran, job.finished]).toEqual([1, 0]);
    job = new Job();
    await job.runSoon();
    await job.beforeApplicationShutdown();
    expect([job.ran, job.finished]).toEqual([1, 1]);
  });

  it('reports the first failure of a row of failures', async () => {
    const reported: string[] = [];
    job.onFailure = (name) => reported.push(name);
    job.failures.push('gone', 'still gone', undefined, 'gone again');
    for (let run = 0; run < 4; run++) await job.runSoon();
    expect(reported).toEqual(['mail', 'mail']);
  });

  it('reports a failure that lasts again after half an hour', async () => {
    let reports = 0;
    job.onFailure = () => reports++;
    job.failures.push('gone', 'gone', 'gone', 'gone');
    const after: number[] = [];
    for (const minutes of [0, 29, 1, 29]) {
      jest.setSystemTime(Date.now() + minutes * 60_000);
      await job.runSoon();
      after.push(reports);
    }
    expect(after).toEqual([1, 1, 2, 2]);
  });
});
