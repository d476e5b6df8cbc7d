import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/**
 * A thread for each core in Node's pool, and two at least. Its four take turns, so that on two cores each hash of a
 * password wakes a thread that the last ones have left the processor's caches of: three in a hundred of a sign-in. On
 * many cores four are too few. Look-ups of names, which can hang, get half of them at most (libuv's own rule). To be
 * called before anything else: the pool is made for its first work. Whoever runs the server may say another number.
 */
export function setThreadPoolSize() {
  process.env.UV_THREADPOOL_SIZE ||= String(Math.max(2, availableParallelism()))
}

/** About a ninth of the processor while others want it, all that is free otherwise. */
const niceness = 10
let done = false

/**
 * Lets the threads of Node's pool wait behind the rest. Passwords are hashed there, which keeps a core busy for tens of
 * milliseconds at a time; who only reads a page must not queue behind that (T-12). To be called when the pool is at
 * work. Only Linux gives a thread a priority of its own; elsewhere nothing changes.
 */
export function lowerThreadPriority() {
  if (done || process.platform !== 'linux') return
  done = true
  for (const thread of poolThreads()) {
    try {
      setPriority(Number(thread), niceness)
    } catch {
      return // Not allowed here: everything works as before, only less evenly.
    }
  }
}

/** Thread ids of Node's pool. @param pid of the process; this one without */
export function poolThreads(pid: number | 'self' = 'self'): string[] {
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads).filter(id =>
      readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('libuv-worker'),
    )
  } catch {
    return [] // A thread ended while we looked, or there is no /proc.
  }
}
