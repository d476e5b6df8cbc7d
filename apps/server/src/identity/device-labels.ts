/** The first match counts: most browsers also name their ancestors. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const first = (table: [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Browser and system of a user agent; null when unknown. The user agent itself is never shown. */
export const deviceOf = (userAgent: string) => ({
  browser: first(browsers, userAgent),
  system: first(systems, userAgent),
})

/** Shortens a network for display: enough to recognise it, without the whole address. */
export function coarseNetwork(network: string): string | null {
  const four = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(network)?.[1]
  if (four) return `${four}.x`
  const six = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):/.exec(network)?.[1]
  return six ? `${six}:x` : null
}
