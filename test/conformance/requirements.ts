/** Every requirement on a server, by a stable id that tests cite with `verifies`. */
import { baseRequirements } from './base-requirements.ts';
import type { Requirement } from './requirement.ts';
import { taskRequirements } from './task-requirements.ts';

export type RequirementId = keyof typeof taskRequirements | keyof typeof baseRequirements;

export const requirements: Readonly<Record<RequirementId, Requirement>> = { ...taskRequirements, ...baseRequirements };
