import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export type Program = { child: ChildProcess; pid: number; stop(): Promise<void> }

const running = new Set<ChildProcess>()
// Whatever ends this run, nothing that it started outlives it.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program and ignores its standard output. */
export function start(command: string, args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  void ended.then(() => running.delete(child))
  return {
    child,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      const insist = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(insist)
    },
  }
}

/** /proc counts in hundredths of a second, on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Processor seconds of a process with all its threads so far; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in brackets that may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN // Not Linux, or the process is gone: the figure is left out.
  }
}

/** The same for a process and its living children: a PostgreSQL server with its connections. */
export function cpuSecondsOfFamily(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuSeconds(each), 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(each => parentOf(each) === pid)
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null // It ended between the listing and the look.
  }
}

/** Resident memory in MB; NaN where there is no /proc. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN // Not Linux.
  }
}
