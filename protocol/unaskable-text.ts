import { unaskable, type ClientFeatures, type InputFeature } from './input-feature.ts';
import type { InputRequest } from './task.ts';

const CAPABILITIES: Readonly<Record<InputFeature, string>> = {
  elicitationForm: 'form elicitation',
  elicitationUrl: 'URL elicitation',
  sampling: 'sampling',
  roots: 'roots',
};

/** For a caller that cannot be asked: what to pass instead, where that is possible, and which capability is missing. */
export function unaskableText(requests: readonly InputRequest[], features: Partial<ClientFeatures>): string {
  const missing = unaskable(requests, features);
  const names = missing.includes('elicitationForm') ? requests.flatMap(fieldsOf) : [];
  const capabilities = missing.map((feature) => CAPABILITIES[feature]).join(' and ');
  if (names.length === 0) {
    return `This call needs a client that declares ${capabilities}, and yours does not. Call from one that does.`;
  }
  return (
    `This call needs ${names.join(', ')}, and your client cannot be asked. ` +
    `Pass ${names.length === 1 ? 'it as an argument' : 'them as arguments'}, or call from a client that declares ${capabilities}.`
  );
}

function fieldsOf({ params }: InputRequest): readonly string[] {
  const schema = params['requestedSchema'] as { properties?: object } | undefined;
  return Object.keys(schema?.properties ?? {});
}
