type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/**
 * Answers many single questions by few common ones. What is asked while one is under way waits and goes with the next;
 * a lone question is as fast as without. Should one take longer than `patienceMs`, those who wait go beside it, until
 * `lanes` are under way.
 * @param ask gets 1 to `most` keys and answers as many values in their order; when it fails, all of its keys do
 */
export function batched<K, V>(
  { lanes, most, patienceMs }: { lanes: number; most: number; patienceMs: number },
  ask: (keys: K[]) => Promise<V[]>,
): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = []
  let underWay = 0
  let late = 0

  /** One that is not late is waited for. */
  function next() {
    if (waiting.length && underWay === late && underWay < lanes) void run()
  }

  async function run() {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    underWay++
    let isLate = false
    const patience = setTimeout(() => {
      isLate = true
      late++
      next()
    }, patienceMs)
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
      clearTimeout(patience)
      underWay--
      if (isLate) late--
      next()
    }
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      next()
    })
}
