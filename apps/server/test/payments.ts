import { afterAll } from 'vitest'
import { acquireSharedSandbox, releaseSharedSandbox } from './harness/shared-sandbox.ts'

type Loose = Record<string, never>
export type Fault = '500' | '409' | '429' | 'timeout' | 'reset' | 'drop_after_commit' | 'garbage' | 'slow'

/** The sandbox as browser, bank and tester: cards, 3D Secure, faults, the ledger. */
export function paymentsOf(origin: string) {
  async function api(
    method: string,
    path: string,
    fields: Record<string, string> = {},
    key = 'sk_test_sandbox',
  ): Promise<Loose> {
    const query = new URLSearchParams(fields).toString()
    const reply = await fetch(`${origin}${path}${method === 'GET' && query ? `?${query}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      ...(method !== 'GET' && { body: query }),
    })
    const body = (await reply.json()) as Loose // as: tests say what they expect of it
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(body)}`)
    return body
  }

  const list = async (path: string, fields: Record<string, string>): Promise<Loose[]> =>
    (await api('GET', path, { limit: '100', ...fields })).data as unknown as Loose[] // as: a list of the provider

  return {
    api,
    list,
    /** A card token, created as the browser does. */
    async card(number = '4242424242424242') {
      const fields = {
        type: 'card',
        'card[number]': number,
        'card[exp_month]': '12',
        'card[exp_year]': String(new Date().getUTCFullYear() + 3),
        'card[cvc]': '123',
      }
      return String((await api('POST', '/v1/payment_methods', fields, 'pk_test_sandbox')).id)
    },
    /** A new promotion code. @param coupon its discount; 20 % once by default */
    async code(coupon: Record<string, string> = {}, more: Record<string, string> = {}) {
      const made = await api('POST', '/v1/coupons', {
        ...(!coupon.amount_off && { percent_off: '20' }),
        ...coupon,
      })
      const fields = { 'promotion[type]': 'coupon', 'promotion[coupon]': String(made.id), ...more }
      const { id, code } = await api('POST', '/v1/promotion_codes', fields)
      return { id: String(id), code: String(code), coupon: String(made.id) }
    },
    /** Confirms or refuses at the bank. */
    async bank(clientSecret: string, outcome: 'complete' | 'fail') {
      const intent = clientSecret.split('_secret_')[0] ?? ''
      const reply = await fetch(`${origin}/sandbox/3ds/${intent}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_secret: clientSecret, outcome }),
      })
      if (!reply.ok) throw new Error(`The bank answered ${reply.status}: ${await reply.text()}`)
      return intent
    },
    async fault(match: string, kind: Fault, times = 1, after = 0) {
      const body = JSON.stringify({ match, kind, times, after })
      await fetch(`${origin}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    },
    /** Waits until every webhook that is due has been delivered. */
    async webhooksIdle() {
      await fetch(`${origin}/sandbox/webhooks/idle`)
    },
    settings: (body: Record<string, string>) =>
      fetch(`${origin}/sandbox/settings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    clearFaults: () => fetch(`${origin}/sandbox/faults`, { method: 'DELETE' }),
    /** Live subscriptions and successful payments of a customer. */
    async ledger(customer: string | null) {
      if (!customer) return { standing: [], paid: [] }
      const subscriptions = await list('/v1/subscriptions', { customer, status: 'all' })
      const payments = await list('/v1/payment_intents', { customer })
      const ended = ['canceled', 'incomplete_expired']
      return {
        standing: subscriptions.filter(one => !ended.includes(one.status ?? '')),
        paid: payments.filter(one => one.status === 'succeeded'),
      }
    },
  }
}

/** New card numbers for trials, because a card has only one. Luhn-valid and unknown to the sandbox. */
let serial = 0
export function freshNumber(): string {
  const body = `40012${String(process.pid % 100_000).padStart(5, '0')}${String(serial++).padStart(5, '0')}`
  for (let check = 0; check < 10; check++) if (luhn(body + check)) return body + check
  throw new Error('no check digit')
}
function luhn(number: string) {
  const sum = [...number].reverse().map((digit, at) => (at % 2 ? Number(digit) * 2 : Number(digit)))
  return sum.reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0
}

/** A separate sandbox for tests whose faults must not hit others. Call it at the top of a test file. */
export async function ownSandbox() {
  afterAll(releaseSharedSandbox)
  const { port, smtpPort } = await acquireSharedSandbox()
  const origin = `http://127.0.0.1:${port}`
  return {
    env: { SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort) },
    ...paymentsOf(origin),
    passDays: (days: number) => passDays(origin, days),
  }
}

/** Moves a sandbox's clock, with the renewals and failed payments on the way. Not for the one that test files share. */
export async function passDays(origin: string, days: number) {
  const body = JSON.stringify({ seconds: Math.round(days * 86_400) })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${origin}/sandbox/clock`, { method: 'POST', headers, body })
}

/** The billing rows of an account, without row-level security. */
export async function billingRows(
  db: { asOwnerOfJobs: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }> },
  accountId: string,
) {
  const read = async (statement: string) =>
    (await db.asOwnerOfJobs(statement, [accountId])).rows as Record<string, never>[] // as: tests say what they expect of it
  return {
    account: (await read('select * from accounts where id = $1'))[0],
    subscription: (await read('select * from subscriptions where account_id = $1'))[0],
    attempts: await read('select * from billing_attempts where account_id = $1 order by created_at'),
    audit: await read("select * from audit_log where account_id = $1 and action = 'plan.changed'"),
    trialCards: await read('select * from trial_cards where account_id = $1'),
  }
}
