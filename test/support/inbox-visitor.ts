/** Somebody at the inbox with a browser that knows no scripts: links, forms, one cookie jar. */

export interface InboxPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it was found, after redirects: path and query. */
  readonly address: string;
}

export interface InboxForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const MAX_REDIRECTS = 5;

export class InboxVisitor {
  readonly origin: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Where the local switcher is. */
  async signInAs(subject: string, to = '/inbox'): Promise<InboxPage> {
    return this.post('/inbox/sign-in', { subject, to });
  }

  get(address: string): Promise<InboxPage> {
    return this.#fetch(address, {});
  }

  post(address: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(fields);
    return this.#fetch(address, { method: 'POST', body, headers: { origin: this.origin, ...headers } });
  }

  /** Fills in the form of `page` whose address ends in `action`, and whose fields are those of `like`. */
  submit(page: InboxPage, action: string, fields: Readonly<Record<string, string>> = {}, like = {}) {
    const form = formOf(page, action, like);
    return this.post(form.action, { ...form.fields, ...fields });
  }

  /** One answer, where redirects are not followed. */
  async once(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(address, this.origin), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), cookie },
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    return answer;
  }

  async #fetch(address: string, init: RequestInit): Promise<InboxPage> {
    let [at, asked] = [address, init];
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      const answer = await this.once(at, asked);
      const { status, headers } = answer;
      const location = headers.get('location');
      if (location === null) return { status, headers, text: await answer.text(), address: at };
      [at, asked] = [location, {}];
    }
    throw new Error(`${address} leads from page to page`);
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (/max-age=0/i.test(set)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** As one reads it: without markup, and spaces as a browser draws them. */
export function wordsOf({ text }: InboxPage): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ \./g, '.');
}

/** @throws when the page has no such form */
export function formOf({ text }: InboxPage, action: string, like: Readonly<Record<string, string>> = {}): InboxForm {
  const forms = [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, address = '', inner = '']) => ({ action: address, fields: hiddenFields(inner) }),
  );
  const found = forms.find(
    (form) =>
      form.action.endsWith(action) && Object.entries(like).every(([name, value]) => form.fields[name] === value),
  );
  if (found === undefined) throw new Error(`No form ${action} is on the page:\n${text}`);
  return found;
}

function hiddenFields(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}
