import { TestEnvironment } from 'jest-environment-node';

/** The list of service-log.ts. */
const ERRORS = Symbol.for('errors of the service');

/** Jest's own, in which a failed test shows the errors that the service logged meanwhile, such as the reason of a 500. */
export default class extends TestEnvironment {
  #errorsBefore = 0;

  handleTestEvent({ name, error }) {
    const errors = this.global[ERRORS] ?? [];
    if (name === 'test_start') this.#errorsBefore = errors.length;
    if (name !== 'test_fn_failure' || errors.length === this.#errorsBefore) return;
    if (error?.stack)
      error.stack += `\n\nThe service logged:\n${errors.slice(this.#errorsBefore).join('\n')}`;
  }
}
