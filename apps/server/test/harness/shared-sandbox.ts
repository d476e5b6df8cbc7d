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

/** Removes all data and pending work. */
async function reset({ port }: SandboxProcess) {
  const reply = await fetch(`http://127.0.0.1:${port}/sandbox/reset`, { method: 'POST' })
  if (!reply.ok) throw new Error(`Could not reset the sandbox: ${reply.status}`)
}

/**
 * The sandbox process that is reused for all test files, reset for each: starting one takes longer than many files.
 * @throws when the file holds it already
 */
export async function acquireSharedSandbox(file = expect.getState().testPath ?? 'a test file') {
  if (holder === file) throw new Error(`${file} has the sandbox already`)
  // A file that was aborted may still use the sandbox: start a new one.
  const free = holder === undefined ? shared : undefined
  if (!free) shared?.child.kill()
  // Keep it only when the start or the reset succeeds.
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
