/** `fetch` as behind a load balancer, which passes over a front that is not there. */
export interface Balancer {
  readonly fetch: typeof fetch;
  /** What was posted, in order: the method of a request, or `response`, and the index of the front that took it. */
  readonly taken: readonly { readonly what: string; readonly front: number }[];
}

/** Each request goes to the next front. */
export function roundRobin(urls: readonly string[]): Balancer {
  let count = 0;
  return balance(urls, () => count++ % urls.length);
}

/** Each request goes to the first front, as long as that is there. */
export function inOrder(urls: readonly string[]): Balancer {
  return balance(urls, (tries) => tries - 1);
}

function balance(urls: readonly string[], pick: (tries: number) => number): Balancer {
  const taken: { what: string; front: number }[] = [];
  const send = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const front = pick(tries);
      try {
        const response = await fetch(urls[front] ?? '', init);
        if (typeof init.body === 'string') taken.push({ what: kindOf(init.body), front });
        return response;
      } catch (error) {
        if (tries === urls.length) throw error;
      }
    }
  };
  return { fetch: send, taken };
}

function kindOf(body: string): string {
  return (JSON.parse(body) as { readonly method?: string }).method ?? 'response';
}
