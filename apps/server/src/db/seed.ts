import { type PlanId, planOf } from '@plinth/contract/plans'
import { CompiledQuery } from 'kysely'
import type { DemoUser } from '../banner.ts'
import type { Services } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { hashPassword } from '../lib/passwords.ts'
import type { Tx } from './transaction.ts'

const advisoryLock = 7_209_114
const password = 'plinth-demo-1'
const peopleInBigAccount = 200

type Account = {
  name: string
  plan: PlanId | null
  status: string | null
  people: { email: string; role: string; first: string; last: string; what: string; verified?: boolean }[]
}

const one = (name: string, first: string, last: string, what: string) => ({
  email: `${name}@demo.plinth.example`,
  role: 'owner',
  first,
  last,
  what,
})

/** An account with every role, and one for each awkward state. Addresses end in .example: no mail can reach anyone. */
const accounts: Account[] = [
  {
    name: 'North Quay',
    plan: 'startup',
    status: 'active',
    people: [
      one('owner', 'Mara', 'Okafor', 'owner of North Quay'),
      { ...one('admin', 'Tomas', 'Lindqvist', 'admin, no API keys'), role: 'admin' },
      { ...one('developer', 'Ines', 'Duarte', 'developer, no team page'), role: 'developer' },
      { ...one('user', 'Jonah', 'Weber', 'user'), role: 'user' },
    ],
  },
  {
    name: 'Plinth',
    plan: 'free',
    status: 'active',
    people: [
      one('master', 'Greta', 'Hughes', 'master, sets up two-factor sign-in first'),
      one('support', 'Sam', 'Reyes', 'another master, helps users that allow it'),
    ],
  },
  {
    name: 'Fresh Start',
    plan: null,
    status: null,
    people: [one('no-plan', 'Noor', 'Haddad', 'has not chosen a plan')],
  },
  {
    name: 'Unproven',
    plan: null,
    status: null,
    people: [{ ...one('unverified', 'Elio', 'Rossi', 'has not confirmed the address'), verified: false }],
  },
  {
    name: 'Late Payer',
    plan: 'startup',
    status: 'requires_payment_method',
    people: [one('failed-payment', 'Ada', 'Byrne', 'the latest payment failed')],
  },
  {
    name: 'Bank Asks',
    plan: 'startup',
    status: 'requires_action',
    people: [one('needs-action', 'Kaya', 'Demir', 'the bank wants an authorization')],
  },
  {
    name: 'Gone Quiet',
    plan: 'startup',
    status: 'canceled',
    people: [one('canceled', 'Milan', 'Kovac', 'the subscription was canceled')],
  },
  {
    name: 'Big Team',
    plan: 'scale',
    status: 'active',
    people: [one('big-team', 'Priya', 'Krishnan', `owner of an account of ${peopleInBigAccount}`)],
  },
]

/**
 * Inserts the demo users into a database that had no users before, and lists them.
 * @param begun when this process started: users who signed up later don't count
 */
export async function seedDemo(services: Services, begun: Date): Promise<DemoUser[]> {
  const list = accounts.flatMap(account =>
    account.people.map(({ email, what }) => ({ email, password, what })),
  )
  const password_hash = await hashPassword(password)
  return services.asSystem('demo seed', async tx => {
    // Two servers may start on one new database. When a user signs up between their starts, the later server may find
    // that user first and list no demo users until it is started again.
    await tx.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [advisoryLock]))
    const first = await tx
      .selectFrom('users')
      .select('email')
      .where('created_at', '<', begun)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
    if (first) return first.email === list[0]?.email ? list : []
    // Rows a millisecond apart keep their order.
    let at = services.now().getTime() - 86_400_000
    const next = () => new Date(at++)
    for (const account of accounts) await insertAccount(tx, account, password_hash, next)
    return list
  })
}

async function insertAccount(tx: Tx, account: Account, password_hash: string, next: () => Date) {
  const created_at = next()
  const account_id = newId(created_at.getTime())
  await tx
    .insertInto('accounts')
    .values({ id: account_id, name: account.name, plan: account.plan, created_at })
    .execute()
  const people = [...account.people]
  if (account.name === 'Big Team') {
    for (let n = 2; n <= peopleInBigAccount; n++)
      people.push({
        ...one(`member-${n}`, 'Member', `Number ${n}`, ''),
        role: n % 10 === 0 ? 'admin' : 'user',
      })
  }
  const users = people.map(person => ({ person, id: newId(at(created_at)), created_at: next() }))
  await tx
    .insertInto('users')
    .values(
      users.map(({ person, id, created_at }) => ({
        id,
        email: person.email,
        first_name: person.first,
        last_name: person.last,
        password_hash,
        verified_at: person.verified === false ? null : created_at,
        onboarded_at: account.plan ? created_at : null,
        created_at,
      })),
    )
    .execute()
  await tx
    .insertInto('memberships')
    .values(
      users.map(({ person, id, created_at }) => ({ account_id, user_id: id, role: person.role, created_at })),
    )
    .execute()
  if (account.name === 'Plinth')
    await tx
      .insertInto('masters')
      .values(users.map(({ id }) => ({ user_id: id })))
      .execute()
  if (account.plan && account.status) {
    await tx
      .insertInto('subscriptions')
      .values({
        account_id,
        plan: account.plan,
        provider_status: account.status,
        status: account.status,
        seats: people.length,
        ...(planOf(account.plan).interval && cycleOf(account, created_at)),
        synced_at: created_at,
      })
      .execute()
  }
}

/** A paid month as the provider has it; in the past for a canceled subscription. */
function cycleOf({ plan, status }: Account, joined: Date) {
  const offer = planOf(plan ?? 'free')
  const month = 30 * 86_400_000
  const start = status === 'canceled' ? at(joined) - month : at(joined)
  return {
    seat_price: offer.price,
    current_period_start: new Date(start),
    current_period_end: new Date(start + month),
  }
}

const at = (date: Date) => date.getTime()
