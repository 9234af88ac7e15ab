// Preloaded into a portal (`--import …?minutes=90`): sets its clock ahead of the machine's.
const shiftMs = Number(new URL(import.meta.url).searchParams.get('minutes')) * 60_000;
const machineNow = Date.now;
Date.now = () => machineNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget): object =>
    Reflect.construct(target, given.length === 0 ? [Date.now()] : given, newTarget),
});
