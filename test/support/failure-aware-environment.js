import { TestEnvironment } from 'jest-environment-node';
import { releaseContexts } from './context-release.js';
import { patiently } from './patience.js';

/** What a test or hook says of itself; those that say nothing have the time-out of the run. */
function lengthenTimeouts({ hooks, children }) {
  for (const hook of hooks) hook.timeout &&= patiently(hook.timeout);
  for (const child of children) {
    if (child.type === 'describeBlock') lengthenTimeouts(child);
    else child.timeout &&= patiently(child.timeout);
  }
}

/**
 * Tells `afterEach` whether the test failed, and `afterAll` whether any did, so that the output of real processes is shown
 * then and only then. Gives every test and hook the patience that their own waits have.
 */
export default class FailureAwareEnvironment extends TestEnvironment {
  #hasFailed = false;

  async teardown() {
    releaseContexts();
    await super.teardown();
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start') {
      state.testTimeout = patiently(state.testTimeout);
      lengthenTimeouts(state.rootDescribeBlock);
    }
    if (event.name === 'test_start') this.global.hasTestFailed = false;
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') {
      this.#hasFailed = true;
      this.global.hasTestFailed = true;
    }
    // The hooks of the file come after those of its last test, and those of a describe block after its own last one.
    if (event.name === 'test_done') this.global.hasTestFailed = this.#hasFailed;
  }
}
