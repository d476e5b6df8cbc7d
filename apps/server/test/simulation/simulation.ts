import { freshEmail, password } from '../harness.ts'
import type { ownSandbox } from '../payments.ts'
import type { jobsOf } from './jobs.ts'
import type { Process } from './processes.ts'
import type { providerOf } from './provider.ts'

type Question = { secret: string; kind: 'payment' | 'setup'; repeat: Repeat }
/** The call to repeat with the confirmed payment object. */
export type Repeat = { method: 'POST' | 'PATCH'; path: string; body: Record<string, unknown> }

/** Everything that all simulations of a test file share. */
export type Env = {
  sandbox: Awaited<ReturnType<typeof ownSandbox>>
  processes: readonly [Process, Process]
  jobs: ReturnType<typeof jobsOf>
  provider: ReturnType<typeof providerOf>
  /** The simulated clock in milliseconds. */
  clock: { now(): number; set(shift: number): void }
  system(text: string, values?: unknown[]): Promise<Record<string, never>[]>
  /** Deletes all rows of earlier simulations. */
  forget(): Promise<void>
}

/** One simulated account, and what its users see. */
export type Simulation = {
  env: Env
  account: { id: string; owner: string; token: string } | null
  members: string[]
  question: Question | null
  /** The shown price, and the call that accepts it. */
  quoted: Repeat | null
  /** Invoices that existed before an account was closed. */
  invoiced: Set<string>
  /** Closed accounts. */
  closed: string[]
  /** Steps and replies, to explain a failure. */
  log: string[]
  problems: string[]
}

export async function startSimulation(env: Env): Promise<Simulation> {
  await env.provider.reset()
  env.clock.set(0)
  env.jobs.forget()
  await env.forget()
  const sim: Simulation = {
    env,
    account: null,
    members: [],
    question: null,
    quoted: null,
    invoiced: new Set(),
    closed: [],
    log: [],
    problems: [],
  }
  for (const process of env.processes) process.services.integrations.payments.clearPriceCache()
  await signUp(sim)
  return sim
}

/** Signs up; the address is verified directly. */
export async function signUp(sim: Simulation) {
  const { env } = sim
  const body = { first_name: 'Mara', last_name: 'Okafor', email: freshEmail('simulation'), password }
  const answer = await env.processes[0].call('POST', '/api/account', { body })
  if (answer.status !== 200) throw new Error(`Sign-up answered ${answer.status}: ${answer.text}`)
  const { account_id, id, token } = answer.data
  await env.system('update users set verified_at = $2, onboarded_at = $2 where id = $1', [
    id,
    new Date(env.clock.now()),
  ])
  sim.account = { id: account_id, owner: id, token }
  sim.members = []
  sim.question = null
  sim.quoted = null
}

/** Moves the clocks of the provider, the server and the queue. */
export async function passTime(sim: Simulation, hours: number) {
  const { env } = sim
  await env.provider.passTime(hours * 3600)
  env.clock.set(env.clock.now() - Date.now() + hours * 3_600_000)
  // Keeps sessions alive, because their end is tested elsewhere.
  const now = new Date(env.clock.now())
  const later = new Date(env.clock.now() + 3_600_000)
  await env.system('update sessions set last_used_at = $1, authenticated_at = $1, expires_at = $2', [
    now,
    later,
  ])
}
