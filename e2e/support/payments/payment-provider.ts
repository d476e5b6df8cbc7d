import type { Person } from '../people/people.ts'
import { expect } from '../test.ts'
import { sandboxUrl } from '../urls.ts'

/** Creates a promotion code that takes 20 % off once. */
export async function createPromotionCode(): Promise<string> {
  const coupon = await writeToProvider<{ id: string }>('POST', '/v1/coupons', { percent_off: '20' })
  const { code } = await writeToProvider<{ code: string }>('POST', '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon.id,
  })
  return code
}

type Listed = { id: string; status: string; metadata: Record<string, string> }

async function listFromProvider(path: string): Promise<Listed[]> {
  const response = await fetch(sandboxUrl + path, { headers: { authorization: 'Bearer sk_test_sandbox' } })
  const { data } = (await response.json()) as { data: Listed[] } // as: the sandbox answers lists in this shape
  return data
}

/** Customers of the person's account at the payment provider; more than one is a bug. */
async function listCustomers({ user }: Person): Promise<string[]> {
  const customers = await listFromProvider('/v1/customers?limit=100')
  return customers.filter(({ metadata }) => metadata.account_id === user.account_id).map(({ id }) => id)
}

/** Statuses of all subscriptions of the person's account, ended ones included. */
export async function listSubscriptionStatuses(person: Person): Promise<string[]> {
  const own = await listCustomers(person)
  const held = await Promise.all(
    own.map(id => listFromProvider(`/v1/subscriptions?customer=${id}&status=all`)),
  )
  return held.flat().map(({ status }) => status)
}

/** Expects that no subscription can be charged any more. */
export async function expectNoOpenSubscription(person: Person): Promise<void> {
  const openStatuses = async () =>
    (await listSubscriptionStatuses(person)).filter(
      status => status !== 'canceled' && status !== 'incomplete_expired',
    )
  await expect.poll(openStatuses).toEqual([])
}

type TestClock = { id: string; frozen_time: number }

export async function writeToProvider<T>(
  method: string,
  path: string,
  form: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(sandboxUrl + path, {
    method,
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T // as: each caller names what this path answers
}

/**
 * Gives the person's customer its own test clock, so that the subscriptions of other tests keep their time.
 * @returns a function that advances the clock by a number of days; renewals and reminders then fall due
 */
export async function createTestClock(person: Person): Promise<(days: number) => Promise<void>> {
  const [customer = ''] = await listCustomers(person)
  const now = String(Math.floor(Date.now() / 1000))
  const { id, frozen_time } = await writeToProvider<TestClock>('POST', '/v1/test_helpers/test_clocks', {
    customer,
    frozen_time: now,
  })
  let time = frozen_time
  return async days => {
    time += days * 86_400
    await writeToProvider('POST', `/v1/test_helpers/test_clocks/${id}/advance`, { frozen_time: String(time) })
  }
}

/** Cancels the person's subscriptions at the provider, not through the product. */
export async function cancelAtProvider(person: Person): Promise<void> {
  const [customer = ''] = await listCustomers(person)
  for (const { id } of await listFromProvider(`/v1/subscriptions?customer=${customer}`))
    await writeToProvider('DELETE', `/v1/subscriptions/${id}`)
}
