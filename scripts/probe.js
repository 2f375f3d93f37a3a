/** `probe.js URL`: exit code 0 when it answers 2xx. The health check of the containers, whose image has no curl. */
const url = process.argv[2];
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
} catch (error) {
  console.error(`${url}: ${error.message}`);
  process.exitCode = 1;
}
