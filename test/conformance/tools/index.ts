/** The official suite's fixture tools. Never in the product's catalog. */
import { createCatalog } from '../../../workflows/tool.ts';
import { confirmDelete } from './confirm-delete.ts';
import { failingJob } from './failing-job.ts';
import { greet } from './greet.ts';
import { jsonSchema202012Tool } from './json-schema-2020-12-tool.ts';
import { multiInput } from './multi-input.ts';
import { protocolErrorJob } from './protocol-error-job.ts';
import { slowCompute } from './slow-compute.ts';
import { testAudioContent } from './test-audio-content.ts';
import { testCustomHeader } from './test-custom-header.ts';
import { testElicitationSep1034Defaults } from './test-elicitation-sep1034-defaults.ts';
import { testElicitationSep1330Enums } from './test-elicitation-sep1330-enums.ts';
import { testElicitation } from './test-elicitation.ts';
import { testEmbeddedResource } from './test-embedded-resource.ts';
import { testErrorHandling } from './test-error-handling.ts';
import { testImageContent } from './test-image-content.ts';
import { testInputRequiredResultCapabilities } from './test-input-required-result-capabilities.ts';
import { testInputRequiredResultElicitation } from './test-input-required-result-elicitation.ts';
import { testInputRequiredResultListRoots } from './test-input-required-result-list-roots.ts';
import { testInputRequiredResultMultiRound } from './test-input-required-result-multi-round.ts';
import { testInputRequiredResultMultipleInputs } from './test-input-required-result-multiple-inputs.ts';
import { testInputRequiredResultRequestState } from './test-input-required-result-request-state.ts';
import { testInputRequiredResultSampling } from './test-input-required-result-sampling.ts';
import { testInputRequiredResultTamperedState } from './test-input-required-result-tampered-state.ts';
import { testLoggingTool } from './test-logging-tool.ts';
import { testMissingCapability } from './test-missing-capability.ts';
import { testMultipleContentTypes } from './test-multiple-content-types.ts';
import { testSampling } from './test-sampling.ts';
import { testSimpleText } from './test-simple-text.ts';
import { testStreamingElicitation } from './test-streaming-elicitation.ts';
import { testToolWithProgress } from './test-tool-with-progress.ts';
import { testToolWithTask } from './test-tool-with-task.ts';

export const catalog = createCatalog([
  confirmDelete,
  failingJob,
  greet,
  jsonSchema202012Tool,
  multiInput,
  protocolErrorJob,
  slowCompute,
  testAudioContent,
  testCustomHeader,
  testElicitationSep1034Defaults,
  testElicitationSep1330Enums,
  testElicitation,
  testEmbeddedResource,
  testErrorHandling,
  testImageContent,
  testInputRequiredResultCapabilities,
  testInputRequiredResultElicitation,
  testInputRequiredResultListRoots,
  testInputRequiredResultMultiRound,
  testInputRequiredResultMultipleInputs,
  testInputRequiredResultRequestState,
  testInputRequiredResultSampling,
  testInputRequiredResultTamperedState,
  testLoggingTool,
  testMissingCapability,
  testMultipleContentTypes,
  testSampling,
  testSimpleText,
  testStreamingElicitation,
  testToolWithProgress,
  testToolWithTask,
]);
