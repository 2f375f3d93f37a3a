/**
 * A reverse proxy as they commonly stand in front of servers: it gives up an answer that stays silent for IDLE_MS, and
 * holds an answer back until a buffer is full, unless the server asks it not to. Environment: PORT, TARGET_PORT, IDLE_MS.
 */
import { createServer, request as httpRequest } from 'node:http';

const BUFFER_BYTES = 16 * 1024;
const { PORT, TARGET_PORT, IDLE_MS } = process.env;

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const onward = httpRequest({ host: '127.0.0.1', port: Number(TARGET_PORT), method, path, headers, agent: false });
  const giveUp = () => {
    onward.destroy();
    if (response.headersSent) response.destroy();
    else response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504 Gateway Time-out</h1>');
  };
  onward.setTimeout(Number(IDLE_MS), giveUp);
  onward.on('error', giveUp);
  response.on('close', () => onward.destroy());
  onward.on('response', (answer) => {
    answer.on('error', giveUp);
    pass(answer, response);
  });
  request.pipe(onward);
});

/**
 * @param {import('node:http').IncomingMessage} answer
 * @param {import('node:http').ServerResponse} response
 */
function pass(answer, response) {
  // These two are about the connection to the server, not about the one to the client.
  const { connection: _, 'x-accel-buffering': buffering, ...headers } = answer.headers;
  const isHeldBack = buffering !== 'no';
  /** @type {Buffer[]} */
  let held = [];
  const flush = () => {
    if (!response.headersSent) response.writeHead(answer.statusCode ?? 502, headers);
    for (const chunk of held) response.write(chunk);
    held = [];
  };
  if (!isHeldBack) {
    flush();
    response.flushHeaders();
  }
  answer.on('data', (chunk) => {
    held.push(chunk);
    if (!isHeldBack || Buffer.concat(held).length > BUFFER_BYTES) flush();
  });
  answer.on('end', () => {
    flush();
    response.end();
  });
}

server.listen(Number(PORT), '127.0.0.1', () => console.log('proxying'));
process.once('SIGTERM', () => process.exit(0));
