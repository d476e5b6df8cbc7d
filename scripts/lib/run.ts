import { type ChildProcess, spawn } from 'node:child_process'

export type Finished = { code: number; output: string; stdout: string; seconds: number; timedOut: boolean }
export type RunOptions = {
  cwd?: string
  /** Added to this process's environment; `undefined` removes a variable. */
  env?: Record<string, string | undefined>
  /** The whole process group is killed after this long. */
  timeoutSeconds?: number
}

const running = new Set<ChildProcess>()

/** Kills a child and everything it started: each child leads a process group of its own. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group ended by itself between the check and the signal.
  }
}

/** Stops whatever `run` has started and not finished. */
export function stopRunning(): void {
  for (const child of running) killGroup(child, 'SIGKILL')
}

/** Runs a command to its end and returns its output. Does not throw when it fails. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<Finished> {
  const started = performance.now()
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    let output = ''
    let stdout = ''
    let timedOut = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const timer = setTimeout(
      () => {
        timedOut = true
        output += `\nStopped: still running after ${options.timeoutSeconds} seconds.\n`
        killGroup(child, 'SIGKILL')
      },
      (options.timeoutSeconds ?? 600) * 1000,
    )
    const finish = (code: number) => {
      clearTimeout(timer)
      running.delete(child)
      // A test that leaves a server behind would hold ports and memory for every later step.
      killGroup(child, 'SIGKILL')
      resolve({ code, output, stdout, timedOut, seconds: (performance.now() - started) / 1000 })
    }
    child.once('error', error => {
      output += `${command} could not be started: ${error.message}\n`
      finish(127)
    })
    child.once('close', (code, signal) => finish(code ?? (signal === null ? 1 : 128)))
  })
}
