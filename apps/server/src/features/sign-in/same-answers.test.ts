import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'
import { ssoHelpers } from '../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { call, people, db } = made
const sso = ssoHelpers(made)
const pairs = 200
/** Two hundred times two hashes on a busy machine. */
const slow = 240_000

type Answer = Awaited<ReturnType<typeof call>>

/** Everything an observer sees, with what differs between any two calls masked. */
function seen({ status, text, headers }: Answer): string {
  const masked = text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/"token":"[\w-]{43}"/g, '"token":"<token>"')
    // When the account was made, which is now.
    .replace(/"since":"[\d:.TZ-]{24}"/g, '"since":"<now>"')
  const { date: _, 'x-request-id': __, ...rest } = headers
  const shown = JSON.stringify(Object.entries(rest).sort()).replace(/browser=[\w-]{43}/, 'browser=<id>')
  return JSON.stringify([status, masked, shown])
}

const { rows: known } = await knownAddresses()

/**
 * The kinds of addresses: a verified user with two unverified ones; an unverified one alone; a user without a
 * password; and two who must use single sign-on, with a password and without.
 */
async function knownAddresses() {
  const user = await people.verified()
  await people.signUp(user.email)
  await people.signUp(user.email)
  const unproven = freshEmail()
  await people.signUp(unproven)
  const passwordless = await people.verified()
  await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [passwordless.id])
  return { rows: [user.email, unproven, passwordless.email, ...(await enforced())] }
}

/** Members of an account that enforces single sign-on, and of no other. */
async function enforced(): Promise<string[]> {
  const company = await sso.company()
  const invited = await people.verified()
  await db.asOwnerOfJobs("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
    company.owner.account_id,
    invited.id,
  ])
  await db.asOwnerOfJobs('delete from accounts where id = $1', [invited.account_id])
  const provisioned = sso.address(company)
  await sso.signIn(company, { email: provisioned })
  const change = { enforced: true, break_glass: [company.owner.id] }
  await sso.api('PATCH', '/api/sso/connection', company, change)
  return [invited.email, provisioned]
}

// Requested before the pairs begin: they enqueue hundreds of mails, which would delay the next one.
const invitation = await invitationOf(freshEmail('invited'))

/** The secret of an invitation's link. */
async function invitationOf(email: string) {
  const owner = await people.owner()
  await call('POST', '/api/invite', { token: owner.token, body: { email, permission: 'user' } })
  return people.inviteSecret(email)
}

/** Known and unknown in turn: each of those above against an unknown address. */
async function compare(ask: (email: string) => Promise<Answer>, least: number, times = pairs) {
  const answers = { known: new Set<string>(), unknown: new Set<string>() }
  for (let n = 0; n < times; n++) {
    answers.known.add(seen(await ask(known[n % known.length] ?? '')))
    answers.unknown.add(seen(await ask(freshEmail('nobody'))))
  }
  expect([...answers.known]).toEqual([...answers.unknown])
  expect(answers.known.size).toBe(1)
  expect([...answers.known][0]).toContain(`[${least},`)
}

const post = (url: string) => (body: Record<string, unknown>) => call('POST', url, { body })
const names = { first_name: 'Mara', last_name: 'Okafor' }

describe('200 pairs of a known and an unknown address in turns: one status, body and headers [T-10]', () => {
  test('sign-in', () => compare(email => post('/api/auth')({ email, password: 'not-this-one-1' }), 422), slow)

  test('magic link', () => compare(email => post('/api/auth/magic')({ email }), 200), slow)

  test('reset', () => compare(email => post('/api/auth/password/reset/request')({ email }), 200), slow)

  test('sign-up', () => compare(email => post('/api/account')({ ...names, email, password }), 200), slow)

  test(
    'invite sign-up',
    async () => {
      const accept = (invite_id: unknown) => (email: string) =>
        post('/api/user')({ ...names, email, password, invite_id })
      await compare(accept('made-up'), 422)
      await compare(accept(invitation), 422)
    },
    slow,
  )

  test(
    'a new address in the profile',
    async () => {
      const { token } = await people.owner()
      const change = async (email: string) => {
        const answer = await call('PATCH', '/api/user', { token, body: { email } })
        // It says the address again, of which some are longer.
        const length = Number(answer.headers['content-length']) - email.length
        const headers = { ...answer.headers, 'content-length': length }
        return { ...answer, headers, text: answer.text.replace(email, '<address>') }
      }
      await compare(change, 200, 40)
    },
    slow,
  )

  test(
    'verification mail again',
    async () => {
      const [user, nobody] = [await people.signUp(known[0]), await people.signUp()]
      const sessions = new Map([
        [known[0], user.token],
        ['other', nobody.token],
      ])
      const answers = { known: new Set<string>(), unknown: new Set<string>() }
      for (let n = 0; n < pairs; n++)
        for (const [of, address] of [
          ['known', known[0]],
          ['unknown', 'other'],
        ] as const)
          answers[of].add(
            seen(await call('POST', '/api/user/verify/request', { token: sessions.get(address) })),
          )
      expect([...answers.known]).toEqual([...answers.unknown])
      expect(answers.known.size).toBe(1)
    },
    slow,
  )
})
