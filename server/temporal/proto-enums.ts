/** Temporal's enumerations. Its package is CommonJS: values come by the default import, types by name. */
import proto from '@temporalio/proto';

export const enums = proto.temporal.api.enums.v1;
