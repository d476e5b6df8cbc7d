import { describe, expect, test, vi } from 'vitest'
import { queuedMails } from '../../../../test/harness/queued-mails.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { wantsMail } from '../../../identity/mail-preferences.ts'

const { call, people, db, services, config } = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const payments = paymentsOf(config.payments.apiBase ?? '')
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

type Setting = { name: string; active: boolean }
const settings = async (token: string): Promise<Setting[]> =>
  (await call('GET', '/api/notification', { token })).data
const change = (token: string, body: unknown) => call('PATCH', '/api/notification', { token, body })

const outgoing = queuedMails({ db, services })
/** Kinds of the mails that were sent, or are queued. */
const mailed = async (email: string) => (await outgoing(({ to }) => to === email)).map(({ kind }) => kind)

describe('the settings [entity:notification-setting] [const:notifications.names]', () => {
  test.each([
    ['owner', ['new_signin', 'plan_updated', 'card_updated', 'invite_accepted']],
    ['admin', ['new_signin', 'invite_accepted']],
    ['developer', ['new_signin']],
    ['user', ['new_signin']],
  ] as const)(
    'the role %s gets the notifications for that role, all switched on [call:GET /api/notification]',
    async (role, names) => {
      const owner = await people.owner()
      const person = role === 'owner' ? owner : await people.member(owner, role)
      expect(await settings(person.token)).toEqual(names.map(name => ({ name, active: true })))
    },
  )

  test('a change affects only the settings it names [call:PATCH /api/notification]', async () => {
    const user = await people.owner()
    const answer = await change(user.token, { plan_updated: false, invite_accepted: true })
    const after = [
      { name: 'new_signin', active: true },
      { name: 'plan_updated', active: false },
      { name: 'card_updated', active: true },
      { name: 'invite_accepted', active: true },
    ]
    expect(answer).toMatchObject({ status: 200, data: after })
    expect((await change(user.token, {})).data).toEqual(after)
    expect(await settings(user.token)).toEqual(after)
    expect(
      await rows("select metadata from audit_log where action = 'notifications.changed' and user_id = $1", [
        user.id,
      ]),
    ).toEqual([{ metadata: { plan_updated: false, invite_accepted: true } }])
  })

  test('two changes at the same time are both saved', async () => {
    const user = await people.owner()
    const answers = await Promise.all(
      ['new_signin', 'plan_updated', 'card_updated'].map(name => change(user.token, { [name]: false })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await settings(user.token)).filter(({ active }) => active)).toEqual([
      { name: 'invite_accepted', active: true },
    ])
  })

  test('a notification that is not for the role is refused with the whole call [T-32]', async () => {
    const owner = await people.owner()
    const user = await people.member(owner, 'user')
    const answer = await change(user.token, { new_signin: false, plan_updated: false })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'permission_required', inputError: 'plan_updated' },
    })
    expect(await settings(user.token)).toEqual([{ name: 'new_signin', active: true }])
  })

  test.each([
    ['a name that is none', { other: true }],
    ['a word for a switch', { new_signin: 'off' }],
    ['somebody else', { new_signin: false, user_id: '01a1fa42-8c01-78ae-9ea9-6d886f883969' }],
  ])('refuses %s [T-77]', async (_what, body) => {
    const user = await people.owner()
    expect((await change(user.token, body)).status).toBe(422)
  })

  test('are saved for one member in one account [T-35]', async () => {
    const [owner, other] = [await people.owner(), await people.owner()]
    const member = await people.member(owner, 'owner')
    await change(member.token, { new_signin: false })
    expect((await settings(owner.token))[0]).toEqual({ name: 'new_signin', active: true })
    expect((await settings(other.token))[0]).toEqual({ name: 'new_signin', active: true })
    const own = member.accounts.find(({ id }) => id !== owner.account_id)?.id ?? ''
    const asked = (account: string) =>
      services.asSystem('test', tx => wantsMail(tx, member.id, account, 'new_signin'))
    expect([await asked(owner.account_id), await asked(own)]).toEqual([false, true])
  })

  test('without a plan or a session the call is refused', async () => {
    const user = await people.verified()
    expect((await call('GET', '/api/notification', { token: user.token })).status).toBe(402)
    expect((await call('GET', '/api/notification')).status).toBe(401)
  })
})

describe('withheld or sent [T-88]', () => {
  const signIn = (email: string, ip: string) =>
    call('POST', '/api/auth', { body: { email, password }, headers: { 'x-forwarded-for': ip } })
  const noted = (user: { id: string }) =>
    rows("select 1 from audit_log where action = 'session.new_device' and user_id = $1", [user.id])

  test('new_signin: off, only the log has it; on again, the user gets a mail', async () => {
    const user = await people.owner()
    await change(user.token, { new_signin: false })
    await signIn(user.email, '198.51.100.1')
    await vi.waitFor(async () => expect(await noted(user)).toHaveLength(1), { timeout: 20_000 })
    expect(await mailed(user.email)).not.toContain('new_signin')
    await change(user.token, { new_signin: true })
    await signIn(user.email, '198.51.101.1')
    await vi.waitFor(async () => expect(await noted(user)).toHaveLength(2), { timeout: 20_000 })
    expect(await mailed(user.email)).toContain('new_signin')
  })

  test('plan_updated is sent only to owners who want it', async () => {
    const owner = await people.owner()
    const [quiet, second, admin] = [
      await people.member(owner, 'owner'),
      await people.member(owner, 'owner'),
      await people.member(owner, 'admin'),
    ]
    await change(quiet.token, { plan_updated: false })
    const answer = await call('POST', '/api/account/plan', {
      token: owner.token,
      body: { plan: 'startup', token: await payments.card(freshNumber()) },
    })
    expect(answer.status).toBe(200)
    expect(await mailed(owner.email)).toContain('plan_changed')
    expect(await mailed(second.email)).toContain('plan_changed')
    expect(await mailed(quiet.email)).not.toContain('plan_changed')
    expect(await mailed(admin.email)).not.toContain('plan_changed')
  })
})
