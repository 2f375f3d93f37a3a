/**
 * A page that says where its stream is looks again when that says so. Without a stream it looks every ten seconds. A page out of
 * sight has none: a browser opens only a few connections to one server.
 */
const address = document.querySelector('meta[name="inbox-live"]').content;
const WITHOUT_STREAM_MS = 10_000;
/** So that all who are asked do not look at once. */
const SPREAD_MS = 300;

let stream;
let timer;

function lookAgain() {
  document.body.dispatchEvent(new CustomEvent('inbox:changed'));
}

function close() {
  clearTimeout(timer);
  stream?.close();
  stream = undefined;
}

/** `isAgain`: what has happened in between is not known. */
function open(isAgain) {
  close();
  // What was decided changes no more.
  if (document.querySelector('[hx-trigger^="inbox:changed"]') === null) return;
  let wasOpen = false;
  stream = new EventSource(address);
  stream.onopen = () => {
    wasOpen = true;
    if (isAgain) lookAgain();
  };
  stream.onmessage = () => setTimeout(lookAgain, Math.random() * SPREAD_MS);
  stream.onerror = () => {
    close();
    const waitMs = wasOpen ? Math.random() * SPREAD_MS : WITHOUT_STREAM_MS;
    timer = setTimeout(() => {
      if (!wasOpen) lookAgain();
      open(true);
    }, waitMs);
  };
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') close();
  else open(true);
});
if (document.visibilityState !== 'hidden') open(false);
