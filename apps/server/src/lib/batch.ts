type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/**
 * Answers many single questions by few common ones. What is asked while `lanes` of them are under way waits and goes
 * with the next; nothing waits while a lane is free, so a lone question is as fast as without.
 * @param ask gets 1 to `most` keys and answers as many values in their order; when it fails, all of its keys do
 */
export function batched<K, V>(
  { lanes, most }: { lanes: number; most: number },
  ask: (keys: K[]) => Promise<V[]>,
): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = []
  let underWay = 0

  async function run() {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    underWay++
    try {
      const values = await ask(batch.map(({ key }) => key))
      if (values.length !== batch.length)
        throw new Error(`Asked for ${batch.length} answers, got ${values.length}`)
      batch.forEach(({ resolve }, n) => {
        resolve(values[n] as V) // as: as many values as keys, just counted
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      if (waiting.length) void run()
    }
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay < lanes) void run()
    })
}
