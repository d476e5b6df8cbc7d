import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Reads `.env` beside package.json, if there is one. What is already set wins. */
export function loadEnvFile(root: string): void {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** Whether the outside world is the sandbox: never with live keys or in production, unless SANDBOX says so. */
export function wantsSandbox(env: Record<string, string | undefined>): boolean {
  if (env.SANDBOX === '1') return true
  if (env.SANDBOX === '0') return false
  const live = /^(sk|rk)_live_/.test(env.STRIPE_SECRET_KEY ?? '')
  return !live && env.NODE_ENV !== 'production'
}
