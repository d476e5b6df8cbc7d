import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Reads `.env` beside package.json, if there is one. Variables that are already set win. */
export function loadEnvFile(root: string): void {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** Whether the outside world is the sandbox: never in production; with live keys only when SANDBOX=1, which the server refuses. */
export function wantsSandbox(env: Record<string, string | undefined>): boolean {
  if (env.NODE_ENV === 'production') return false
  if (env.SANDBOX === '1') return true
  if (env.SANDBOX === '0') return false
  return !/^(sk|rk)_live_/.test(env.STRIPE_SECRET_KEY ?? '')
}
