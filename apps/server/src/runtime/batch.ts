type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/**
 * Combines parallel look-ups into few queries. Keys that arrive during a query are sent with the next one; when a query
 * takes longer than `patienceMs`, another one starts, up to `lanes` at a time. Benchmark row: `auth`.
 * @param ask receives 1 to `most` keys and returns their values in order; an error rejects all of them
 */
export function batched<K, V>(
  { lanes, most, patienceMs }: { lanes: number; most: number; patienceMs: number },
  ask: (keys: K[]) => Promise<V[]>,
): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = []
  let underWay = 0
  let late = 0

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
        throw new Error(`Expected ${batch.length} values, got ${values.length}`)
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
