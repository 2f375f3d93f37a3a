/** Requests to the doors beside `/mcp`: files, the inbox and its links. */
import type { SeededRandom } from '../support/seeded-random.ts';
import { ODD_TEXTS } from './mutations.ts';
import { postRequest, requestHead, type Chunks, type Header, type Target } from './request-bytes.ts';

export function otherDoor(random: SeededRandom, target: Target): Chunks {
  const odd = encodeURIComponent(random.pick([target.foreignTaskId, 'A'.repeat(22), ...ODD_TEXTS]));
  const path = random.pick([
    '/files',
    `/files?name=${odd}`,
    '/files?name=a.csv',
    `/files/${odd}`,
    '/inbox',
    `/inbox/${odd}`,
    '/inbox/sign-in',
    `/inbox/sign-in?to=${odd}`,
    `/inbox/sign-in/callback?state=${odd}&code=${odd}`,
    '/inbox/tasks',
    `/inbox/tasks/${odd}`,
    `/inbox/tasks/${odd}/cancel`,
    `/inbox/approvals/${odd}`,
    `/inbox/approvals/${odd}/documents/${odd}`,
    '/inbox/delegations',
    '/inbox/live',
    `/links/${odd}`,
    `/links/${odd}/decision`,
  ]);
  const verb = random.pick(['GET', 'GET', 'POST', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']);
  const headers: Header[] = [
    ['content-type', random.pick(['application/x-www-form-urlencoded', 'text/csv', 'application/zip', 'x', ''])],
  ];
  const cookie = random.pick([
    '',
    'inbox=x',
    `inbox_sign_in=${'A'.repeat(300)}`,
    'inbox_session=__proto__; inbox_sign_in=',
  ]);
  if (cookie !== '') headers.push(['cookie', cookie]);
  const origin = random.pick(['', '', 'null', `http://${target.host}`]);
  if (origin !== '') headers.push(['origin', origin]);
  const line = `${verb} ${path}`;
  if (verb !== 'POST' && verb !== 'PUT') return [requestHead(target, headers, line)];
  const body = random.pick([`decision=approve&note=${odd}`, 'a;b\n1;2\n', 'PK\u0003\u0004', '', odd]);
  return postRequest(target, body, headers, line);
}
