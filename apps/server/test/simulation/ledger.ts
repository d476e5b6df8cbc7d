import type { Simulation } from './simulation.ts'

export type Loose = Record<string, never>

export type Ledger = Awaited<ReturnType<typeof readLedger>>

/** All objects at the provider. */
export async function readLedger({ env: { sandbox } }: Simulation) {
  const every = async (path: string, fields: Record<string, string> = {}): Promise<Loose[]> => {
    const found: Loose[] = []
    for (;;) {
      const page = await sandbox.list(path, {
        ...fields,
        ...(found.length && { starting_after: String(found.at(-1)?.id) }),
      })
      found.push(...page)
      if (page.length < 100) return found
    }
  }
  return {
    customers: await every('/v1/customers'),
    subscriptions: await every('/v1/subscriptions', { status: 'all' }),
    invoices: await every('/v1/invoices'),
    intents: await every('/v1/payment_intents'),
    payments: await every('/v1/invoice_payments'),
  }
}

export const number = (value: unknown) => Number(value ?? 0)
export const text = (value: unknown) => String(value ?? '')
export const field = (of: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Loose)[key] : undefined),
    of,
  ) // as: looked into by name
