/** What would run in a page that took it for markup: in a text, in an attribute, after the end of either. */
export function evil(field: string): string {
  return `${field}"><script>alert(1)</script><img src=x onerror='alert(1)'>\u202e`;
}

/** As it is when it stands in a page as text. */
export function harmless(field: string): string {
  return `${field}&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;`;
}

export const EVIL_URL = 'javascript:alert(1)';
