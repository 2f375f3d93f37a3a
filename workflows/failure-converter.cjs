/**
 * How failures are written, on the worker and in the sandbox: message and stack go into a payload, which a codec may
 * encrypt. CommonJS, because Temporal takes it by path and requires it.
 */
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
