import { expect } from 'vitest'
import { startSandbox } from './sandbox-process.ts'

type SandboxProcess = Awaited<ReturnType<typeof startSandbox>>
let shared: SandboxProcess | undefined
/** The test file that has it. */
let holder: string | undefined

async function start(): Promise<SandboxProcess> {
  const started = await startSandbox()
  // It ends with this process, and does not keep it from ending.
  started.child.unref()
  started.child.channel?.unref()
  return started
}

/** Whatever a file has left and whatever is under way there goes. */
async function reset({ port }: SandboxProcess) {
  const reply = await fetch(`http://127.0.0.1:${port}/sandbox/reset`, { method: 'POST' })
  if (!reply.ok) throw new Error(`The sandbox did not begin anew: ${reply.status}`)
}

/**
 * The sandbox that this process keeps for one test file after the other, empty: to start one, and to have its answers'
 * judge compiled, takes longer than many files do.
 * @throws when the file has it already
 */
export async function acquireSharedSandbox(file = expect.getState().testPath ?? 'a test file') {
  if (holder === file) throw new Error(`${file} has the sandbox already`)
  // The file before was given up while it was read, or none of its tests was wanted: it may still be at work there.
  const free = holder === undefined ? shared : undefined
  if (!free) shared?.child.kill()
  // Whoever comes next gets another one, unless this one turns out well.
  shared = undefined
  holder = file
  try {
    if (free) await reset(free)
    shared = free ?? (await start())
  } catch (error) {
    free?.child.kill()
    holder = undefined
    throw error
  }
  return { port: shared.port, smtpPort: shared.smtpPort }
}

export function releaseSharedSandbox() {
  holder = undefined
}
