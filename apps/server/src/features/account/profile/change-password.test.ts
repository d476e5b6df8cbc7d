import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { makeApp } from '../../../app.ts'

const test_app = await makeTestApp()
const { call, people, db, services, clock } = test_app
/** A second server on the same database. */
const other = await makeApp({ services, db, readiness: { draining: false } })

const next = 'brass-lantern-27!'
const change = (token: string, body: object) => call('PUT', '/api/user/password', { token, body })
const signIn = (email: string, secret = password) =>
  call('POST', '/api/auth', { body: { email, password: secret } })
const hashOf = async (id: string) =>
  (await db.asOwnerOfJobs('select password_hash as hash from users where id = $1', [id])).rows[0]
const actionsOf = async (id: string) =>
  (
    (await db.asOwnerOfJobs('select action from audit_log where user_id = $1 order by id', [id])).rows as {
      action: string
    }[]
  ).map(({ action }) => action)
async function withoutPassword() {
  const user = await people.owner()
  await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [user.id])
  return user
}

describe('[call:PUT /api/user/password]', () => {
  test('T-19 it ends the old password and the other sessions on every server and replaces the token [V7.2.4] [V7.4.3]', async () => {
    const user = await people.owner()
    const others = await Promise.all([1, 2, 3].map(async () => (await signIn(user.email)).data.token))
    const answer = await change(user.token, {
      oldpassword: password,
      has_password: true,
      newpassword: next,
      confirm_password: next,
    })
    expect(answer).toMatchObject({
      status: 200,
      data: { id: user.id, account_id: user.account_id, token: expect.stringMatching(/^[\w-]{43}$/) },
      body: { message: 'Password changed. You’re signed out everywhere else.' },
    })
    for (const token of [user.token, ...others]) {
      expect((await call('GET', '/api/user', { token })).status).toBe(401)
      const elsewhere = await other.inject({
        url: '/api/user',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(elsewhere.statusCode).toBe(401)
    }
    expect((await call('GET', '/api/user', { token: answer.data.token })).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(422)
    expect((await signIn(user.email, next)).status).toBe(200)
  })

  test('T-88 the change is in the log and mailed', async () => {
    const user = await people.owner()
    await change(user.token, { oldpassword: password, newpassword: next })
    expect((await expectMail(test_app, user.email, 'Your password was changed')).text).toContain(user.email)
    expect(await actionsOf(user.id)).toContain('password.changed')
  })

  test('T-20 has_password false opens nothing: the row decides', async () => {
    const user = await people.owner()
    const before = await hashOf(user.id)
    for (const body of [
      { has_password: false, newpassword: next },
      { newpassword: next },
      { has_password: false, newpassword: next, oldpassword: 'not-it-at-all!' },
    ]) {
      expect(await change(user.token, body)).toMatchObject({
        status: 422,
        body: { inputError: 'oldpassword' },
      })
    }
    expect(await change(user.token, { oldpassword: '', newpassword: next })).toMatchObject({ status: 422 })
    expect(await hashOf(user.id)).toEqual(before)
    expect((await call('GET', '/api/user', { token: user.token })).status).toBe(200)
  })

  test('[rule:password.old] a wrong old password is refused at its field, and tries are limited', async () => {
    const user = await people.owner()
    expect(await change(user.token, { oldpassword: 'not-it-at-all!', newpassword: next })).toMatchObject({
      status: 422,
      body: { code: 'password_wrong', inputError: 'oldpassword' },
    })
  })

  test('the current password is refused as the new one, only for callers who know it', async () => {
    const user = await people.owner()
    const before = await hashOf(user.id)
    expect(await change(user.token, { oldpassword: password, newpassword: password })).toMatchObject({
      status: 422,
      body: {
        code: 'password_same',
        inputError: 'newpassword',
        message: 'That is your current password. Choose another one.',
      },
    })
    expect(await change(user.token, { oldpassword: 'not-it-at-all!', newpassword: password })).toMatchObject({
      body: { code: 'password_wrong', inputError: 'oldpassword' },
    })
    expect(await hashOf(user.id)).toEqual(before)
  })

  test('T-20 without a password a recent sign-in is enough to set one', async () => {
    const user = await withoutPassword()
    expect(
      await change(user.token, { has_password: true, oldpassword: password, newpassword: next }),
    ).toMatchObject({
      status: 200,
    })
    expect((await signIn(user.email, next)).status).toBe(200)
    expect(await actionsOf(user.id)).toContain('password.created')
    await expectMail(test_app, user.email, 'A password was added')
  })

  test('T-20 without a password and a recent sign-in it is refused', async () => {
    const user = await withoutPassword()
    clock.add(11 * 60_000)
    expect(await change(user.token, { has_password: false, newpassword: next })).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    })
    expect(await hashOf(user.id)).toEqual({ hash: null })
  })

  test.each([
    ['short-1', 'newpassword'],
    ['nospecialcharacter1', 'newpassword'],
    ['Password123!', 'newpassword'],
    ['mara-okafor-1', 'newpassword'],
  ])('[rule:password.complex] [rule:password.complex-everywhere] %s is refused at %s', async (bad, field) => {
    const user = await people.owner()
    expect(await change(user.token, { oldpassword: password, newpassword: bad })).toMatchObject({
      status: 422,
      body: { inputError: field },
    })
  })

  test('a confirmation that differs is refused', async () => {
    const user = await people.owner()
    expect(
      await change(user.token, { oldpassword: password, newpassword: next, confirm_password: `${next}x` }),
    ).toMatchObject({ status: 422, body: { inputError: 'confirm_password' } })
  })

  test('T-13 of 50 parallel calls one changes the password', async () => {
    const user = await people.owner()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        change(user.token, { oldpassword: password, newpassword: `brass-lantern-${n}-x!` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  test('it voids mailed links and pending second steps', async () => {
    const user = await people.owner()
    await call('POST', '/api/auth/password/reset/request', { body: { email: user.email } })
    const mail = await expectMail(test_app, user.email, 'Choose a new password')
    const link = mail.links.find(address => address.includes('token=')) ?? ''
    const jwt = new URL(link).searchParams.get('token')
    await change(user.token, { oldpassword: password, newpassword: next })
    expect(
      await call('POST', '/api/auth/password/reset', { body: { jwt, password: 'another-lantern-9!' } }),
    ).toMatchObject({ status: 422, body: { code: 'link_expired' } })
  })

  test('needs a session', async () => {
    expect((await call('PUT', '/api/user/password', { body: { newpassword: next } })).status).toBe(401)
  })
})
