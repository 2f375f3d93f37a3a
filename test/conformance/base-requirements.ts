/** What the base protocol asks of a server, revision 2026-07-28. */
import { must, mustNot, should } from './requirement.ts';

export const baseRequirements = {
  'http.endpoint': must('one endpoint takes POST: a request gets JSON or a stream, a notification 202'),
  'http.origin': must('an Origin that is not allowed is 403, before the body does anything'),
  'http.loopback': should('a local server binds the loopback'),
  'http.headers': must('version, method and name stand in headers that agree with the body, or it is 400 and -32020'),
  'http.param-headers': must('an Mcp-Param header agrees with its argument, or it is 400 and -32020'),
  'http.sse': should('a stream is not buffered, is kept alive, and ends with its response'),
  'http.methods': should('GET and DELETE are 405; session ids and Last-Event-ID are ignored'),
  'http.close-cancels': must('a closed stream cancels its request, and no task that was handed out'),
  'http.no-requests': mustNot('the server sends no requests on a stream', { scenario: 'server-stateless' }),
  'env.meta': must('the envelope holds version and client capabilities, or it is 400 and -32602'),
  'env.version': must('a version that is not served is 400 and -32022, naming what is'),
  'env.method': must('an unknown method is 404 and -32601'),
  'env.capability': must('a capability that is needed and not declared is 400 and -32021, as an object'),
  'env.discover': must('server/discover answers'),
  'env.result-type': must('every result says its resultType, and in _meta (SHOULD) by which server it comes'),
  'env.codes': mustNot('no retired code and no undefined one of the reserved range; own codes lie outside it'),
  'env.stateless': must('nothing is inferred from earlier requests or the connection'),
  'cache.hints': must('what may be cached says for how long and for whom'),
  'notify.related': must('a notification on a response stream is about that request'),
  'notify.log': mustNot('no log message to a request that did not ask for a level', { scenario: 'server-stateless' }),
  'notify.progress': must('progress goes to the given token, grows, and ends with the answer'),
  'listen.ack-first': must('the acknowledgement comes first, and then only what was asked for'),
  'listen.id': must('every message of a subscription carries its id, in its JSON type'),
  'listen.end': should('a subscription that the server ends gets its result'),
  'mrtr.kinds': mustNot('nothing is asked that the client did not declare'),
  'mrtr.state': must(
    'a requestState is refused unless it is intact; used again it does nothing twice where that matters',
  ),
  'mrtr.bind': should('it belongs to one caller and call and is short-lived; missing answers are asked again'),
  'elicit.secrets': mustNot('no form asks for a secret or authorizes a payment', {
    excused: 'A matter of what a tool asks; task.elicitUrl is there for what must not pass through the client.',
  }),
  'elicit.validate': should('answers are held against the requested schema; decline and cancel are answers'),
  'elicit.schema': must(
    'a requested schema is a flat object of primitives, its formats email, uri, date and date-time, without $ref',
  ),
  'tools.validate': must(
    'arguments are held against the schema of the tool, access is controlled, calls are limited, outputs sanitized',
  ),
  'tools.schema': must(
    'schemas are JSON Schema 2020-12, no $ref leads out of them, structured results fit the outputSchema',
  ),
  'tools.order': should('tools come in one order, structured content is repeated as text, a bad cursor is -32602'),
  'auth.metadata': must('protected-resource metadata, and 401 for a missing or bad token'),
  'auth.audience': must('a token is for this server and goes no further'),
  'auth.scope': should('a challenge names all scopes at once'),
};
