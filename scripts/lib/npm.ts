/**
 * npm passes a signal to the shell between it and us, and some shells die of it without passing it on.
 * So a start by npm also ends when that shell has ended.
 */
export function watchNpm(gone: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined
  const shell = process.ppid
  return setInterval(() => process.ppid !== shell && gone(), 500).unref()
}
