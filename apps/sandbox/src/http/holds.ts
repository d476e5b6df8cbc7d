/** Calls that are kept waiting on purpose, for so long or until they are let go. */
export function createHolds() {
  const held = new Set<() => void>()
  return {
    hold: (ms: number) =>
      new Promise<void>(resolve => {
        const release = () => {
          clearTimeout(timer)
          held.delete(release)
          resolve()
        }
        const timer = setTimeout(release, ms)
        held.add(release)
      }),

    /** How many wait now. */
    count: () => held.size,

    release() {
      for (const letGo of [...held]) letGo()
    },
  }
}
