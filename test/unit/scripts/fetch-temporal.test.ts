/**
 * The two ways that bring a Temporal to a machine without one. A server of the test's own stands for the download, and a
 * command for Go, which puts where it is told what only says its version.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cachedBinary, findTemporal } from '../../../scripts/temporal.js';
import { writeExecutable } from '../../support/executable.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const VERSION = 'temporal version 1.5.1 (Server 1.29.0, UI 2.42.0)';
const SCRIPT = `#!/bin/sh\necho '${VERSION}'\n`;
const DOWNLOADING = 'Downloading the Temporal CLI 1.5.1.';
const BUILDING = 'Building the Temporal CLI 1.5.1 with Go. This takes about three minutes, once for this machine.';

let folder = '';
let env: Record<string, string> = {};
let said: string[] = [];
let mirror: Server;
let asked: string[] = [];
/** What the mirror answers; `undefined`: 404. */
let archive: Buffer | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  [said, asked, archive] = [[], [], undefined];
  mirror = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(archive === undefined ? 404 : 200).end(archive);
  });
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  const { port } = mirror.address() as AddressInfo;
  env = {
    PATH: join(folder, 'bin'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    TEMPORAL_DOWNLOAD: `http://127.0.0.1:${String(port)}/`,
  };
});

afterEach(() => new Promise((resolve) => mirror.close(resolve)));

async function archiveOf(text: string): Promise<Buffer> {
  await writeExecutable(join(folder, 'made', 'temporal'), text);
  const packed = join(folder, 'temporal.tar.gz');
  await promisify(execFile)('tar', ['-czf', packed, '-C', join(folder, 'made'), 'temporal']);
  return readFile(packed);
}

/** Notes down what it was told; `then` says what it does. */
const goThat = (then: string): Promise<void> =>
  writeExecutable(join(folder, 'bin', 'go'), `#!/bin/sh\necho "$@" > '${folder}/told'\n${then}\n`);
const BUILT = `printf '%s' "#!/bin/sh\necho '${VERSION}'" > "$GOBIN/temporal"\n/bin/chmod +x "$GOBIN/temporal"`;

const found = (): ReturnType<typeof findTemporal> => findTemporal({ env, say: (line) => said.push(line) });
const cached = (): Promise<string[]> => readdir(dirname(cachedBinary(env)));

describe('Temporal is fetched', () => {
  it('by a download that is asked for this platform, once for a machine', async () => {
    archive = await archiveOf(SCRIPT);
    const fetched = { path: cachedBinary(env), version: VERSION };
    expect(await found()).toEqual({ ...fetched, source: 'download' });
    expect(await found()).toEqual({ ...fetched, source: 'cache' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^\/cli\/archive\/v1\.5\.1\?platform=(linux|darwin)&arch=(amd64|arm64)$/);
    expect(said).toEqual([DOWNLOADING]);
    expect(await cached()).toEqual(['temporal']);
  });

  it('by Go where there is nothing to download', async () => {
    await goThat(BUILT);
    expect(await found()).toEqual({ path: cachedBinary(env), version: VERSION, source: 'go install' });
    expect(await readFile(join(folder, 'told'), 'utf8')).toBe(
      'install -gcflags=all=-dwarf=false -ldflags=-s -w github.com/temporalio/cli/cmd/temporal@v1.5.1\n',
    );
    expect(said).toEqual([DOWNLOADING, BUILDING]);
    expect(await cached()).toEqual(['temporal']);
  });
});

describe('Temporal is not there', () => {
  it.each([
    ['nothing', undefined, 'download: the server answered 404'],
    ['no archive', Buffer.from('<html>'), 'download: the archive could not be unpacked'],
    ['half an archive', 'half', 'download: the archive could not be unpacked'],
    ['another program', '#!/bin/sh\necho hello\n', 'download: it does not say which Temporal server it brings'],
  ])('when the download brings %s and Go fails: each way says why', async (_what, brought, reason) => {
    if (typeof brought === 'string') {
      const whole = await archiveOf(brought === 'half' ? SCRIPT.repeat(1_000) : brought);
      archive = brought === 'half' ? whole.subarray(0, whole.length / 2) : whole;
    } else archive = brought;
    await goThat(`${BUILT}\necho 'no space left on device' >&2\nexit 1`);
    const failure = await found().catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(reason) });
    expect(failure).toMatchObject({ message: expect.stringContaining('go install: no space left on device') });
    // Whole or not at all, or the next start would take half of it for Temporal.
    expect(await cached()).toEqual([]);
  });
});
