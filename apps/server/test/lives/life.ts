import { freshEmail, password } from '../harness.ts'
import type { ownSandbox } from '../payments.ts'
import type { workOf } from './jobs.ts'
import type { Process } from './processes.ts'
import type { providerOf } from './provider.ts'

type Question = { secret: string; kind: 'payment' | 'setup'; repeat: Repeat }
/** The call that the bank's question interrupted, to be made again with the object that was confirmed. */
export type Repeat = { method: 'POST' | 'PATCH'; path: string; body: Record<string, unknown> }

/** Everything that stands for as long as the tests run. */
export type Town = {
  sandbox: Awaited<ReturnType<typeof ownSandbox>>
  processes: readonly [Process, Process]
  jobs: ReturnType<typeof workOf>
  provider: ReturnType<typeof providerOf>
  /** The clock of a life, milliseconds. */
  clock: { now(): number; set(shift: number): void }
  system(text: string, values?: unknown[]): Promise<Record<string, never>[]>
  /** Nobody has lived here yet. */
  forget(): Promise<void>
}

/** One account's life, and what those who live it hold in their hands. */
export type Life = {
  town: Town
  account: { id: string; owner: string; token: string } | null
  members: string[]
  question: Question | null
  /** The price on the screen, and the call of its button. */
  quoted: Repeat | null
  /** Accounts that were closed. */
  closed: string[]
  /** Invoices that existed before an account was closed. */
  invoiced: Set<string>
  /** What was done and answered, for whoever has to find out what went wrong. */
  diary: string[]
  problems: string[]
}

export async function begin(town: Town): Promise<Life> {
  await town.provider.begin()
  town.clock.set(0)
  town.jobs.forget()
  await town.forget()
  const life: Life = {
    town,
    account: null,
    members: [],
    question: null,
    quoted: null,
    closed: [],
    invoiced: new Set(),
    diary: [],
    problems: [],
  }
  for (const process of town.processes) process.services.outside.payments.clearPriceCache()
  await open(life)
  return life
}

/** Somebody signs up. How an address is proven is shown elsewhere. */
export async function open(life: Life) {
  const { town } = life
  const body = { first_name: 'Mara', last_name: 'Okafor', email: freshEmail('life'), password }
  const answer = await town.processes[0].call('POST', '/api/account', { body })
  if (answer.status !== 200) throw new Error(`Sign-up answered ${answer.status}: ${answer.text}`)
  const { account_id, id, token } = answer.data
  await town.system('update users set verified_at = $2, onboarded_at = $2 where id = $1', [
    id,
    new Date(town.clock.now()),
  ])
  life.account = { id: account_id, owner: id, token }
  life.members = []
  life.question = null
  life.quoted = null
}

/** Time passes for everybody at once: the provider, the product, the queue. */
export async function pass(life: Life, hours: number) {
  const { town } = life
  await town.provider.pass(hours * 3600)
  town.clock.set(town.clock.now() - Date.now() + hours * 3_600_000)
  // People sign in again; that sessions end is shown elsewhere.
  const now = new Date(town.clock.now())
  const later = new Date(town.clock.now() + 3_600_000)
  await town.system('update sessions set last_used_at = $1, authenticated_at = $1, expires_at = $2', [
    now,
    later,
  ])
}
