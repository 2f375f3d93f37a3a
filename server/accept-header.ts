/** Whether an `Accept` header takes an event stream. Who sends none takes anything. Spec: RFC 9110, section 12.5.1. */
export function takesEventStream(accept = '*/*'): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((part) => /^q=0(\.0*)?$/.test(part));
    return ['text/event-stream', 'text/*', '*/*'].includes(type) && !isRefused;
  });
}
