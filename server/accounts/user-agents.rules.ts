// The first match counts: most browsers also name those they descend from.
const browsers: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*Safari\//],
  ['curl', /^curl\/(\d+)/],
];
const systems: readonly [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** What a person recognises in a `User-Agent`: `Firefox 130` and `Windows`; null for what it does not say. */
export function describeUserAgent(userAgent: string): { browser: string | null; system: string | null } {
  const browser = browsers
    .map(([name, pattern]) => ({ name, version: pattern.exec(userAgent)?.[1] }))
    .find(({ version }) => version !== undefined);
  return {
    browser: browser === undefined ? null : `${browser.name} ${browser.version}`,
    system: systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null,
  };
}
