/** Says before anything is started which ports cannot be had, and what to do about each. */
import { connect, createServer } from 'node:net';
import { SetupError } from './setup-error.js';

/**
 * @param {{ port: number, host: string, variable: string, what: string, hint?: string }[]} wanted
 * @throws SetupError naming every port that is taken or wanted twice
 */
export async function requireFreePorts(wanted) {
  const problems = [];
  for (const [index, { port, host, variable, what, hint }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined) {
      problems.push(`${variable} and ${twin.variable} are both ${port}: ${what} and ${twin.what} need a port each.`);
    } else if (!(await isPortFree(port, host))) {
      problems.push(
        `Port ${port} (${variable}, ${what}) is taken. Stop the program that uses it, or choose another port: ` +
          `${variable}=${port + 10}.${hint === undefined ? '' : ` ${hint}`}`,
      );
    }
  }
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
}

export async function isPortFree(port, host) {
  // Some systems let a second program listen on a narrower address, so somebody answering counts as taken as well.
  return !(await isListening(port, host)) && (await canListen(port, host));
}

export function isListening(port, host) {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 });
    const answer = (listening) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export function anyFreePort(host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
