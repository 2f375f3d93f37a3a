import { TestEnvironment } from 'jest-environment-node';
import { releaseContexts } from './context-release.js';

/** Tells `afterEach` whether the test failed, so that the output of real processes is shown then and only then. */
export default class FailureAwareEnvironment extends TestEnvironment {
  async teardown() {
    releaseContexts();
    await super.teardown();
  }

  handleTestEvent(event) {
    if (event.name === 'test_start') this.global.hasTestFailed = false;
    if (event.name === 'test_fn_failure' || (event.name === 'hook_failure' && event.test !== undefined)) {
      this.global.hasTestFailed = true;
    }
  }
}
