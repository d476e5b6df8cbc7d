import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Shared } from './product.ts'

type Environment = Record<string, string | undefined>
type Port = { name: string; text: string; isOwn: boolean }

/** What keeps the product from starting, in words that name the variable to change; null when nothing does. */
export async function findStartProblem(
  shared: Shared,
  env: Environment,
  withSandbox: boolean,
): Promise<string | null> {
  const smtpPort = env.SANDBOX_SMTP_PORT || String(Number(shared.SANDBOX_PORT) + 1)
  const ports: Port[] = [
    // A process that only works through jobs serves no page.
    ...(env.ROLE === 'worker' ? [] : [{ name: 'PORT', text: shared.PORT, isOwn: true }]),
    ...(withSandbox
      ? [
          { name: 'SANDBOX_PORT', text: shared.SANDBOX_PORT, isOwn: Boolean(env.SANDBOX_PORT) },
          { name: 'SANDBOX_SMTP_PORT', text: smtpPort, isOwn: Boolean(env.SANDBOX_SMTP_PORT) },
        ]
      : []),
  ]
  const host = env.HOST || '127.0.0.1'
  const wrong = ports.map(whyNoPort).find(why => why !== null)
  if (wrong) return wrong
  const unwritable = whyUnwritable(shared.DATA_DIR)
  if (unwritable) return unwritable
  for (const { name, text } of ports)
    if (await isTaken(Number(text), name === 'PORT' ? host : '127.0.0.1')) return whyTaken(name, text)
  return null
}

function whyNoPort({ name, text, isOwn }: Port): string | null {
  if (/^\d{1,9}$/.test(text) && Number(text) <= 65_535) return null
  if (isOwn) return `${name}: expected a port number, 0 to 65535, and it is ${text}.`
  return `${name}: expected a port number, because the ports after PORT are taken for the sandbox and ${text} is none.`
}

function whyUnwritable(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // as: node's fs errors carry a code
    return `DATA_DIR: expected a folder that can be written to, and ${folder} is none (${code}).\nGive this user the right to write there, or name another folder.`
  }
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
    return `${name}: another Plinth already runs here, on port ${port} (http://localhost:${port}).\nUse that one, stop it, or give this one its own PORT and DATA_DIR.`
  return `${name}: port ${port} is taken by another program. Stop it, or choose another port.`
}

const answerAt = (address: string) =>
  fetch(address, { signal: AbortSignal.timeout(2000) }).then(
    reply => reply.text(),
    () => '',
  )
