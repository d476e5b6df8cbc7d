/** Delays calls for a test, until a time is over or all are released. */
export function createDelayedCalls() {
  const delayed = new Set<() => void>()
  return {
    delay: (ms: number) =>
      new Promise<void>(resolve => {
        const release = () => {
          clearTimeout(timer)
          delayed.delete(release)
          resolve()
        }
        const timer = setTimeout(release, ms)
        delayed.add(release)
      }),

    releaseAll() {
      for (const release of [...delayed]) release()
    },
  }
}
