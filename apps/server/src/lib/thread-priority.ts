import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const threads = '/proc/self/task'
/** About a ninth of the processor while others want it, all that is free otherwise. */
const niceness = 10
let done = false

/**
 * Lets the threads of Node's pool wait behind the rest. Passwords are hashed there, which keeps a core busy for tens of
 * milliseconds at a time; who only reads a page must not queue behind that (T-12). To be called when the pool is at
 * work. Only Linux gives a thread a priority of its own; elsewhere nothing changes.
 */
export function stepBack() {
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

/** Thread ids of Node's pool. */
export function poolThreads(): string[] {
  try {
    return readdirSync(threads).filter(id =>
      readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('libuv-worker'),
    )
  } catch {
    return [] // A thread ended while we looked, or there is no /proc.
  }
}
