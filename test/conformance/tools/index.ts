/** The official suite's fixture tools. Never in the product's catalog. */
import { createCatalog } from '../../../workflows/tool.ts';
import { confirmDelete } from './confirm-delete.ts';
import { failingJob } from './failing-job.ts';
import { greet } from './greet.ts';
import { multiInput } from './multi-input.ts';
import { protocolErrorJob } from './protocol-error-job.ts';
import { slowCompute } from './slow-compute.ts';

export const catalog = createCatalog([greet, slowCompute, failingJob, protocolErrorJob, confirmDelete, multiInput]);
