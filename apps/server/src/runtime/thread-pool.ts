import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Gives Node's pool a thread for each core, at least two. Benchmark row: `sign-in`, by 3 % on two cores (docs/decisions/
 * 0031). Call it before any other work, which would create the pool. An UV_THREADPOOL_SIZE of the environment wins.
 */
export function setThreadPoolSize() {
  process.env.UV_THREADPOOL_SIZE ||= String(Math.max(2, availableParallelism()))
}

/** Thread ids of a process's pool; empty without /proc. */
export function poolThreads(pid: number | undefined): string[] {
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads).filter(id =>
      readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('libuv-worker'),
    )
  } catch {
    return [] // A thread ended during the look-up, or there is no /proc.
  }
}
