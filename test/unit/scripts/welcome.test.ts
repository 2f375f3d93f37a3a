import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../../scripts/settings.js';
import { welcome } from '../../../scripts/welcome.js';

const said = (env: Readonly<Record<string, string>>): string => welcome(readSettings(env), true);

describe('what npm start says', () => {
  it('shows calls that work as they stand where nobody signs in', () => {
    for (const AUTH of ['', 'none']) expect(said({ AUTH })).not.toMatch(/Authorization|MCP_API_KEY/);
    expect(said({})).toBe(said({ AUTH: 'none' }));
  });

  it('says with what to sign in, and shows it in the call, where callers have to', () => {
    for (const AUTH of ['keys', 'jwt', 'jwt,keys']) {
      const text = said({ AUTH });
      expect(text).toContain('npm run keys -- create --subject NAME');
      expect(text).toContain('-H "Authorization: Bearer $MCP_API_KEY" \\\n');
    }
  });
});
