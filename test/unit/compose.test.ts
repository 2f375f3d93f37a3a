/** No container engine is needed to see that the files of the image and the layout name only what exists. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SERVER_SETTINGS } from '../../scripts/server-settings.js';
import { readConfig } from '../../server/config.ts';
import { readStoreConfig } from '../../store/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Service {
  readonly deploy?: { readonly replicas?: number };
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  network_mode?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  secrets?: string[];
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};
const dockerfile = readFileSync('Dockerfile', 'utf8');
const nginx = readFileSync('deploy/nginx.conf', 'utf8');
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'durable-mcp-tasks:local');

/** The file that a compiled entry or a script comes from. */
function sourceOf(file: string): string {
  return file.startsWith('dist/') ? file.slice('dist/'.length).replace(/\.js$/, '.ts') : file;
}

/** What the configuration of our processes reads. */
function knownVariables(): Set<string> {
  const files = [
    'server/config.ts',
    'worker/config.ts',
    'demo/erp/config.ts',
    'store/config.ts',
    'scripts/settings.js',
    'scripts/ui-door-main.js',
    'scripts/namespace.js',
  ];
  const names = files.flatMap((file) =>
    readFileSync(file, 'utf8').match(/\b[A-Z][A-Z]*(_[A-Z]+)+\b|\b(HOST|PORT|AUTH)\b/g),
  );
  return new Set(names.filter((name) => name !== null));
}

describe('docker-compose.yml', () => {
  it.each(services)('%s: pins its image to a full version', (_name, { image }) => {
    expect(image).toMatch(/^durable-mcp-tasks:local$|:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  it.each(services)('%s: publishes ports on the loopback only', (_name, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it.each(services)('%s: mounts declared volumes and existing files only', (_name, { volumes = [] }) => {
    for (const volume of volumes) {
      const source = volume.split(':')[0]!;
      expect(source.startsWith('./') ? existsSync(source) : source in compose.volumes).toBe(true);
    }
  });

  it.each(services)('%s: waits for services that can become what it waits for', (_name, { depends_on = {} }) => {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const service = compose.services[needed]!;
      const canBecomeIt = {
        service_healthy: service.healthcheck !== undefined,
        service_completed_successfully: /^(on-failure|no)/.test(service.restart ?? 'no'),
      };
      expect(canBecomeIt).toMatchObject({ [condition]: true });
    }
  });

  it.each(ours)('%s: runs an entry that the image holds', (_name, { command = [], healthcheck }) => {
    expect(command[0]).toBe('node');
    expect(existsSync(sourceOf(command[1]!))).toBe(true);
    const probe = healthcheck?.test.slice(1, 3) ?? ['node', 'scripts/probe.js'];
    expect(probe).toEqual(['node', 'scripts/probe.js']);
  });

  it.each(ours)('%s: sets only variables that our processes read', (_name, { environment = {} }) => {
    const known = knownVariables();
    const unknown = Object.keys(environment).filter((name) => !known.has(name) && !name.startsWith('TEMPORAL_'));
    expect(unknown).toEqual([]);
  });

  it.each(ours.filter(([, { healthcheck }]) => healthcheck !== undefined))(
    '%s: is asked for its health at the port it listens on',
    (_name, { environment = {}, healthcheck }) => {
      const port = environment['PORT'] ?? environment['WORKER_PORT'] ?? environment['ERP_PORT'];
      expect(healthcheck!.test.at(-1)).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port!}/(readyz|healthz)$`));
    },
  );

  it('runs two workers', () => {
    const workers = services.filter(([, { command }]) => command?.[1] === 'dist/worker/main.js');
    expect(workers.map(([, { deploy }]) => deploy)).toEqual([{ replicas: 2 }]);
  });

  it('asks everybody for an API key, and keeps fronts on the loopback of the proxy', () => {
    const fronts = services.filter(([, { command }]) => command?.[1] === 'dist/server/main.js');
    expect(fronts).toHaveLength(2);
    for (const [, { network_mode, environment, ports }] of fronts) {
      expect({ auth: environment!['AUTH'], network_mode, host: environment!['HOST'], ports }).toEqual({
        auth: 'keys',
        network_mode: 'service:proxy',
        host: '127.0.0.1',
        ports: undefined,
      });
      expect(nginx).toContain(`server 127.0.0.1:${environment!['PORT']!} `);
    }
    const published = compose.services['proxy']!.ports!.map((port) => port.split(':').at(-1));
    expect(published).toEqual([/listen (\d+);/.exec(nginx)![1]]);
  });

  it('hands passwords and the pepper over as secrets that the service is given, never as values', () => {
    const named = services.flatMap(([name, { environment = {}, secrets = [] }]) =>
      Object.entries(environment)
        .filter(([, value]) => value.startsWith('/run/secrets/'))
        .map(([variable, value]) => ({
          name,
          variable,
          isGiven: secrets.includes(value.slice('/run/secrets/'.length)),
        })),
    );
    expect(named.filter(({ isGiven }) => !isGiven)).toEqual([]);
    const given = (role: RegExp): (string[] | undefined)[] =>
      services.filter(([, { command }]) => role.test(command?.[1] ?? '')).map(([, { secrets }]) => secrets);
    expect(given(/dist\/server\//)).toEqual([
      ['database-url', 'api-key-pepper'],
      ['database-url', 'api-key-pepper'],
    ]);
    expect(given(/dist\/worker\//)).toEqual([['database-url']]);
    for (const [, { environment = {} }] of services) {
      const values = Object.keys(environment).filter((name) => /PASSWORD$|_PWD$|PEPPER$|DATABASE_URL$/.test(name));
      expect(values).toEqual([]);
    }
    const givenSuperuser = services.filter(([, { secrets }]) => secrets?.includes('postgres-password'));
    expect(givenSuperuser.map(([name]) => name)).toEqual(['postgres', 'store-database', 'temporal-schema', 'temporal']);
  });

  it('hands Temporal the password in the one way that its image knows', async () => {
    const file = join(await temporaryFolder(), 'password');
    writeFileSync(file, 'a password\n');
    const script = readFileSync('deploy/temporal-server.sh', 'utf8');
    const shown = script.replace('/etc/temporal/entrypoint.sh', 'printenv POSTGRES_PWD');
    expect(shown).not.toBe(script);
    expect(execFileSync('sh', ['-c', shown], { env: { ...process.env, POSTGRES_PWD_FILE: file } }).toString()).toBe(
      'a password\n',
    );
  });

  it('gives both fronts an inbox with deploy/people.yml, whose values each say what they are like', async () => {
    const text = readFileSync('deploy/people.yml', 'utf8');
    const people = parse(
      text.replaceAll(/\$\{\w+:\?(?:such as )?([^}]+)\}/g, (_, example: string) => example),
      { merge: true },
    ) as Pick<typeof compose, 'services'>;
    expect(Object.keys(people.services)).toEqual(['front-1', 'front-2']);
    for (const [name, { environment, volumes }] of Object.entries(people.services)) {
      const { DATABASE_URL_FILE: _, API_KEY_PEPPER_FILE: __, ...env } = compose.services[name]!.environment!;
      const [mounted, at] = volumes![0]!.split(':');
      const config = await readConfig({
        ...env,
        ...environment,
        APPROVERS_FILE: environment!['APPROVERS_FILE']!.replace(at!, mounted!),
        DATA_DIR: await temporaryFolder(),
      });
      expect(config.auth).toMatchObject({ jwt: { issuer: 'https://login.example.com' }, takesApiKeys: true });
      expect(config.inbox?.signIn).toMatchObject({ issuer: 'https://login.example.com' });
      expect(config.allowedHosts).toEqual([config.inbox!.url!.host]);
    }
  });

  it('names the secrets that deploy/make-secrets.sh makes, closed to others, and makes none of them anew', async () => {
    const folder = join(await temporaryFolder(), 'secrets');
    const make = (): Record<string, string> => {
      execFileSync('sh', ['deploy/make-secrets.sh', folder]);
      return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    };
    const made = make();
    expect(
      Object.values(compose.secrets)
        .map(({ file }) => file.replace('deploy/secrets/', ''))
        .sort(),
    ).toEqual(Object.keys(made).sort());
    expect(make()).toEqual(made);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const url = new URL(made['database-url']!.trim());
    expect(url.hostname in compose.services).toBe(true);
    expect([url.username, url.password, url.pathname]).toEqual(['mcp', made['database-password']!.trim(), '/mcp']);
    const config = await readStoreConfig({
      DATA_DIR: folder,
      DATABASE_URL_FILE: join(folder, 'database-url'),
      API_KEY_PEPPER_FILE: join(folder, 'api-key-pepper'),
    });
    expect(config).toEqual({ databaseUrl: url.href, pepper: Buffer.from(made['api-key-pepper']!.trim()) });
  });

  it('gives fronts and workers the same files', () => {
    const roles = services.filter(([, { command }]) => /dist\/(server|worker)\//.test(command?.[1] ?? ''));
    expect(roles.map(([, { volumes }]) => volumes)).toEqual(roles.map(() => ['data:/data']));
  });
});

describe('Dockerfile', () => {
  it('copies only what the repository holds', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    expect(copies.filter((source) => !existsSync(source))).toEqual([]);
  });

  it('copies every folder that is compiled', () => {
    const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
    for (const folder of include) expect(dockerfile).toMatch(new RegExp(`^COPY ${folder.split('/')[0]!} `, 'm'));
  });

  it('runs as an ordinary user, under an init, and stops by SIGTERM', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["\/usr\/bin\/tini"/m);
  });
});

describe('temporal-dynamic-config.yaml', () => {
  const settings = parse(readFileSync('deploy/temporal-dynamic-config.yaml', 'utf8')) as Record<
    string,
    readonly { readonly value: unknown; readonly constraints: object }[]
  >;

  it.each(Object.entries(SERVER_SETTINGS))('sets %s as our own dev server does', (name, value) => {
    expect(settings[name]).toEqual([{ value, constraints: {} }]);
  });
});
