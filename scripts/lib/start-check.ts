import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Shared } from './product.ts'

const run = promisify(execFile)
type Environment = Record<string, string | undefined>
type Port = { name: string; text: string; host: string }

/** What keeps the product from starting, one variable each; empty when nothing does. */
export async function findStartProblems(
  shared: Shared,
  env: Environment,
  withSandbox: boolean,
): Promise<string[]> {
  const smtpPort = env.SANDBOX_SMTP_PORT || String(Number(shared.SANDBOX_PORT) + 1)
  const host = env.HOST || '127.0.0.1'
  const ports: Port[] = [
    // A process that only works through jobs serves no page.
    ...(env.ROLE === 'worker' ? [] : [{ name: 'PORT', text: shared.PORT, host }]),
    ...(withSandbox
      ? [
          { name: 'SANDBOX_PORT', text: shared.SANDBOX_PORT, host: '127.0.0.1' },
          { name: 'SANDBOX_SMTP_PORT', text: smtpPort, host: '127.0.0.1' },
        ]
      : []),
  ]
  const taken: string[] = []
  for (const { name, text, host } of ports.filter(isPort))
    if (await isTaken(Number(text), host)) taken.push(await whyTaken(name, text))
  const isSound = taken.length === 0 && ports.every(isPort) && (!withSandbox || isWritable(shared.DATA_DIR))
  // The server checks its other settings when it starts.
  if (isSound) return []
  return [...(await listConfigProblems({ ...env, PORT: shared.PORT, DATA_DIR: shared.DATA_DIR })), ...taken]
}

const isPort = ({ text }: Port) => /^\d{1,9}$/.test(text) && Number(text) <= 65_535

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What the server itself would refuse. */
async function listConfigProblems(env: Environment): Promise<string[]> {
  const script = join(import.meta.dirname, '../../apps/server/scripts/check-config.ts')
  const { stdout } = await run(process.execPath, [script], { env })
  return stdout.split('\n').filter(Boolean)
}

/** Other failures to listen are the server's to explain. */
function isTaken(port: number, host: string): Promise<boolean> {
  if (port === 0) return Promise.resolve(false)
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}

/** Where a Plinth answers, and with what, at its own port and at its sandbox's. */
const signs: Record<string, { path: string; sign: string }> = {
  PORT: { path: '/live', sign: '{"live":true}' },
  SANDBOX_PORT: { path: '/sandbox/inbox?to=nobody', sign: '"data":' },
}

async function whyTaken(name: string, port: string): Promise<string> {
  const sign = signs[name]
  const answer = await (sign ? answerAt(`http://127.0.0.1:${port}${sign.path}`) : '')
  if (sign && answer.includes(sign.sign))
    return `${name}: another Plinth already runs here, on port ${port} (http://localhost:${port}). Use that one, stop it, or give this one its own PORT and DATA_DIR.`
  return `${name}: port ${port} is taken by another program. Stop it, or choose another port.`
}

const answerAt = (address: string) =>
  fetch(address, { signal: AbortSignal.timeout(2000) }).then(
    reply => reply.text(),
    () => '',
  )
