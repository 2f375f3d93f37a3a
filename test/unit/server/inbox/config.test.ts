import { describe, expect, it } from '@jest/globals';
import type { AuthConfig } from '../../../../server/auth/auth-config.ts';
import { readInbox } from '../../../../server/inbox/config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const KEY = 'ab'.repeat(32);
const JWT: AuthConfig = {
  jwt: { issuer: 'https://login.example', audience: 'https://mcp.example/mcp', tenantClaim: 'org' },
  takesApiKeys: false,
};
const CLIENT = { DECISION_KEY: KEY, INBOX_CLIENT_ID: 'inbox', INBOX_URL: 'https://mcp.example/inbox' };

describe('readInbox', () => {
  it('lets people play whom they like where nobody has to sign in', async () => {
    const config = await readInbox({ DECISION_KEY: KEY }, undefined);
    expect(config).toMatchObject({ signIn: 'local', url: undefined, decisionKeys: [Buffer.from(KEY, 'hex')] });
    expect(config?.approversFile).toMatch(/policy\/approvers\.json$/);
  });

  it('is none where people cannot sign in', async () => {
    expect(await readInbox({}, JWT)).toBeUndefined();
    expect(await readInbox({}, { takesApiKeys: true })).toBeUndefined();
  });

  it('signs people in at the issuer of access tokens', async () => {
    const { signIn } = (await readInbox({ ...CLIENT, INBOX_CLIENT_SECRET: 'hush', INBOX_ROLES_CLAIM: 'roles' }, JWT))!;
    expect(signIn).toEqual({
      issuer: 'https://login.example',
      clientId: 'inbox',
      clientSecret: 'hush',
      url: new URL('https://mcp.example/inbox'),
      rolesClaim: 'roles',
      tenantClaim: 'org',
    });
    expect((await readInbox(CLIENT, JWT))!.signIn).toMatchObject({ clientSecret: undefined, rolesClaim: 'groups' });
  });

  it.each([
    ['INBOX_URL: is needed', { ...CLIENT, INBOX_URL: undefined }, JWT],
    ['INBOX_URL: must be an https URL', { ...CLIENT, INBOX_URL: 'http://mcp.example/inbox' }, JWT],
    ['INBOX_URL: must be an https URL', { ...CLIENT, INBOX_URL: 'https://mcp.example/' }, JWT],
    ['INBOX_URL: must be an https URL', { ...CLIENT, INBOX_URL: 'https://mcp.example/inbox?x' }, JWT],
    ['INBOX_URL: must be an https URL', { ...CLIENT, INBOX_URL: 'mcp.example' }, JWT],
    ['which needs AUTH=jwt', CLIENT, { takesApiKeys: true }],
    ['DECISION_KEY: must hold', { ...CLIENT, DECISION_KEY: 'short' }, JWT],
    ['APPROVERS_FILE: /nowhere cannot be read', { ...CLIENT, APPROVERS_FILE: '/nowhere' }, JWT],
    ['INBOX_CLIENT_SECRET_FILE: /nowhere cannot be read', { ...CLIENT, INBOX_CLIENT_SECRET_FILE: '/nowhere' }, JWT],
  ])('says what is wrong: %s', async (problem, variables, auth) => {
    const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
    await expect(readInbox({ ...present, DATA_DIR: await temporaryFolder() }, auth)).rejects.toThrow(problem);
  });
});
