import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from './compile-cache.ts'
import { shortLivedFlags } from './server-process.ts'

const script = fileURLToPath(new URL('../../scripts/impersonate.ts', import.meta.url))

/** `npm run impersonate` as its own process, to its end. */
export async function impersonate(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...shortLivedFlags, script, ...args], {
    env: { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (errors += chunk))
  const [code] = await once(child, 'close')
  return { code, output, errors }
}
