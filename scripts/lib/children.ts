import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Exit = { code: number; signal: NodeJS.Signals | null }
export type Child = { name: string; process: ChildProcess; exited: Promise<Exit> }
export type ChildOptions = {
  env?: Record<string, string>
  /** Read standard output ourselves (`waitForReady`) instead of passing it on. */
  readOutput?: boolean
  cwd?: string
  /** For programs that are not ours and need no parent watch. */
  plain?: boolean
}

// A URL: of a path, `--import` would read a % or a # as a URL has them.
const watch = new URL('end-with-parent.ts', import.meta.url).href

/**
 * Starts a Node program as a child.
 * It leads a process group of its own, because Ctrl+C reaches a whole group: the child would get one signal
 * from the terminal and one from us, and a second signal means "stop without draining".
 * In return it watches the channel to us, so that it never outlives a parent that was killed.
 */
export function startChild(name: string, args: string[], options: ChildOptions = {}): Child {
  const watching = options.plain ? [] : ['--import', watch]
  const child = spawn(process.execPath, [...watching, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: [
      'ignore',
      options.readOutput ? 'pipe' : 'inherit',
      'inherit',
      ...(options.plain ? [] : ['ipc' as const]),
    ],
    detached: true,
  })
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => resolve({ code: code ?? 128, signal }))
    child.once('error', () => resolve({ code: 127, signal: null }))
  })
  return { name, process: child, exited }
}

/**
 * Waits for a child's first line of JSON on standard output, which says that it is ready, and passes
 * every other line on. Throws when it ends before that, or takes longer than `seconds`.
 */
export async function waitForReady(child: Child, seconds: number): Promise<unknown> {
  const output = child.process.stdout
  if (output === null) throw new Error(`${child.name} was started without a readable output.`)
  const ready = new Promise<unknown>(resolve => {
    let waiting = true
    createInterface({ input: output }).on('line', line => {
      const message = waiting ? parseJson(line) : undefined
      if (message === undefined) return console.log(line)
      waiting = false
      resolve(message)
    })
  })
  const ended = child.exited.then(exit => {
    throw new Error(`${child.name} ended before it was ready (exit code ${exit.code}).`)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${child.name} was not ready after ${seconds} seconds.`)),
      seconds * 1000,
    )
  })
  try {
    return await Promise.race([ready, ended, late])
  } finally {
    clearTimeout(timer)
    // When it ends later that is its exit code's business, not a failure of this wait.
    ended.catch(() => undefined)
  }
}

function parseJson(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as object // a text that starts with a brace parses to an object
  } catch {
    return undefined // An ordinary line that happens to start with a brace.
  }
}

/** Asks a child to end, and insists after `seconds`. */
export async function stopChild(
  child: Child,
  signal: NodeJS.Signals = 'SIGTERM',
  seconds = 35,
): Promise<Exit> {
  child.process.kill(signal)
  const insist = setTimeout(() => child.process.kill('SIGKILL'), seconds * 1000)
  try {
    return await child.exited
  } finally {
    clearTimeout(insist)
  }
}
