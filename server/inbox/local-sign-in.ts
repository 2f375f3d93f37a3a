/** Where nobody has to sign in (`AUTH=none`, on the loopback only), whoever is at the machine says whom they play. */
import { html } from 'hono/html';
import { LOCAL_ISSUER, localSubject } from '../local-caller.ts';
import type { Subject } from '../principal.ts';
import { answerPage, answerRefused } from './answer-page.ts';
import type { Approver } from './approvers.ts';
import type { Html } from './html.ts';
import { returnPath, SIGN_IN_PATH } from './paths.ts';
import type { SignInPages } from './sign-in.ts';

export const localSignIn: SignInPages = (app, { approvers }, sessions) => {
  app.get('/sign-in', async (context) => {
    const content = switcher(await approvers(), returnPath(context.req.query('to')));
    return answerPage(context, { title: 'Who are you?', content });
  });
  app.post('/sign-in', async (context) => {
    const form = context.get('form');
    const subject = subjectNamed(form.get('subject') ?? '', await approvers());
    if (subject === undefined) {
      return answerRefused(context, 400, 'Nobody of that name', 'Choose one of the people of the list.');
    }
    sessions.start(context, subject, []);
    return context.redirect(returnPath(form.get('to')), 303);
  });
};

function subjectNamed(named: string, approvers: readonly Approver[]): Subject | undefined {
  const me = localSubject();
  const listed = approvers.find(({ subject }) => subject === named);
  if (listed !== undefined) return { issuer: LOCAL_ISSUER, subject: listed.subject, name: listed.name };
  return named === me.subject ? me : undefined;
}

function switcher(approvers: readonly Approver[], to: string): Html {
  const me = localSubject().subject;
  const others = approvers.filter(({ subject }) => subject !== me);
  return html`<p>This server asks nobody to prove who they are: it is for trying things out on this machine.</p>
    <form method="post" action="${SIGN_IN_PATH}" class="people">
      <input type="hidden" name="to" value="${to}" />
      <button name="subject" value="${me}">Me (${me}) <small>who calls tools from this machine</small></button>
      ${others.map(
        ({ subject, name, roles }) =>
          html`<button name="subject" value="${subject}">${name} <small>${roles.join(', ')}</small></button>`,
      )}
    </form>`;
}
