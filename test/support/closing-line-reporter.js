/**
 * Says `N passed, N failed` as the last line. A test file that could not run counts as a failure, and so does what
 * fails a run without failing a test, such as a coverage below its threshold.
 */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    process.on('exit', () => {
      const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
      // Jest decides on `success` only after all reporters have run.
      console.log(`${results.numPassedTests} passed, ${results.success ? failed : Math.max(failed, 1)} failed`);
    });
  }
}
