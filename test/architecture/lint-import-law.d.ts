import type { Linter } from 'eslint';

export declare const importLawConfigs: Linter.Config[];
