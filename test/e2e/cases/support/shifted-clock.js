/**
 * A wall clock that is wrong: off by CLOCK_SHIFT_MS from the start, and by CLOCK_STEP_MS more from SIGWINCH on. Timers are
 * not moved, as they are not by a real clock that is set.
 */
const RealDate = Date;
let shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);
process.on('SIGWINCH', () => {
  shiftMs += Number(process.env['CLOCK_STEP_MS'] ?? 0);
});

const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
