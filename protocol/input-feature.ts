import type { InputRequest } from './task.ts';

/** What a client must be able to do before a request may be put to it. Spec: multi round trip, Server Requirements. */
export type InputFeature = 'elicitationForm' | 'elicitationUrl' | 'sampling' | 'roots';

/** All that a client declared of them. */
export type ClientFeatures = Readonly<Record<InputFeature, boolean>>;

/** Of a client that can be asked nothing. */
export const NO_FEATURES: ClientFeatures = {
  elicitationForm: false,
  elicitationUrl: false,
  sampling: false,
  roots: false,
};

export function featureOf(request: InputRequest): InputFeature {
  switch (request.method) {
    case 'elicitation/create':
      return request.params['mode'] === 'url' ? 'elicitationUrl' : 'elicitationForm';
    case 'sampling/createMessage':
      return 'sampling';
    case 'roots/list':
      return 'roots';
  }
}

/** The kinds among `requests` that a client with `features` cannot answer. */
export function unaskable(
  requests: readonly InputRequest[],
  features: Partial<ClientFeatures>,
): readonly InputFeature[] {
  return [...new Set(requests.map(featureOf))].filter((feature) => features[feature] !== true);
}
