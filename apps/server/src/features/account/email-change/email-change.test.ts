import { describe, expect, test } from 'vitest'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { emailChangeHelpers } from '../../../../test/sign-in/email-change.ts'

const app = await makeTestApp()
const { call, people, db, clock } = app
const { ask, confirm, signIn, secretOf, confirmation, rowOf, changed } = emailChangeHelpers(app)

describe('T-24 a change of a proven address', () => {
  test('the old address signs in until the new one is confirmed; the session continues', async () => {
    const user = await people.owner()
    const email = freshEmail('new')
    expect((await ask(user.token, email)).data).toMatchObject({
      email: user.email,
      pending_email: email,
      verified: false,
    })
    expect((await call('GET', '/api/user', { token: user.token })).data).toMatchObject({
      email: user.email,
      pending_email: email,
      verified: true,
    })
    expect((await call('GET', '/api/auth', { token: user.token })).data).toMatchObject({
      verified: true,
      email_pending: true,
    })
    expect((await call('GET', '/api/demo', { token: user.token })).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(200)
    expect((await signIn(email)).status).toBe(422)
    expect(await rowOf(user.id)).toEqual({ email: user.email, verified: true })
  })

  test('T-19 the confirmation ends other sessions, voids mailed links and replaces the token', async () => {
    const user = await people.owner()
    const elsewhere: string = (await signIn(user.email)).data.token
    await call('POST', '/api/auth/password/reset/request', { body: { email: user.email } })
    const reset = secretOf(await expectMail(app, user.email, 'Choose a new password'))
    const email = freshEmail('new')
    await ask(user.token, email)
    const answer = await confirm(user.token, await confirmation(email))
    expect(answer).toMatchObject({ status: 200, data: { verified: true, email_pending: false } })
    expect((await call('GET', '/api/user', { token: answer.data.token })).data).toMatchObject({
      email,
      pending_email: null,
      verified: true,
    })
    for (const token of [user.token, elsewhere])
      expect((await call('GET', '/api/user', { token })).status).toBe(401)
    expect((await signIn(user.email)).status).toBe(422)
    expect((await signIn(email)).status).toBe(200)
    expect(
      (
        await call('POST', '/api/auth/password/reset', {
          body: { jwt: reset, password: 'lantern-of-9-stones!' },
        })
      ).status,
    ).toBe(422)
  })

  test('T-88 V6.3.7 both addresses get a mail; the audit entry contains neither address', async () => {
    const user = await changed()
    for (const to of [user.old, user.email])
      expect((await expectMail(app, to, 'Your email address was changed')).text).toContain(user.email)
    const { rows } = await db.asOwnerOfJobs(
      'select action, metadata::text as noted from audit_log where user_id = $1 order by id',
      [user.id],
    )
    const actions = (rows as { action: string; noted: string }[]).map(({ action }) => action) // as: selected above
    expect(actions).toEqual(expect.arrayContaining(['email.change_asked', 'email.changed']))
    expect(JSON.stringify(rows)).not.toContain('@')
  })

  test('the link works once, and only in the user’s own session', async () => {
    const user = await people.owner()
    const stranger = await people.owner()
    const email = freshEmail('new')
    await ask(user.token, email)
    const secret = await confirmation(email)
    expect((await confirm(stranger.token, secret)).status).toBe(422)
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(user.token, secret)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect((await call('GET', `/api/user/verify?token=${secret}`)).status).toBe(405)
  })

  test('a link expires after a day, is replaced by a newer one, and can be sent again', async () => {
    const user = await people.owner()
    const email = freshEmail('new')
    await ask(user.token, email)
    const first = await expectMail(app, email, 'Confirm your new email address')
    const again = await call('POST', '/api/user/verify/request', { token: user.token, body: {} })
    expect(again.body.message).toBe('We sent you a new link')
    const second = await people.mailTo(email, first.id)
    expect((await confirm(user.token, secretOf(first))).status).toBe(422)
    clock.add(25 * 3_600_000)
    expect((await confirm(user.token, secretOf(second))).status).toBe(422)
    expect(await rowOf(user.id)).toMatchObject({ email: user.email })
  })

  test('after a typo the old address, sent again, cancels the change', async () => {
    const user = await people.owner()
    const email = freshEmail('typo')
    await ask(user.token, email)
    const secret = await confirmation(email)
    expect((await ask(user.token, user.email)).data).toMatchObject({ pending_email: null, verified: true })
    expect((await confirm(user.token, secret)).status).toBe(422)
    expect((await call('GET', '/api/auth', { token: user.token })).data.email_pending).toBe(false)
  })

  test('of two changes only the newer one can be confirmed', async () => {
    const user = await people.owner()
    const [a, b] = [freshEmail('a'), freshEmail('b')]
    await ask(user.token, a)
    const first = await confirmation(a)
    await ask(user.token, b)
    expect((await confirm(user.token, first)).status).toBe(422)
    expect((await confirm(user.token, await confirmation(b))).status).toBe(200)
    expect(await rowOf(user.id)).toMatchObject({ email: b })
  })

  test('requires a step-up when the sign-in is old (V7.5.1)', async () => {
    const user = await people.owner()
    clock.add(11 * 60_000)
    const email = freshEmail('new')
    expect(await ask(user.token, email)).toMatchObject({
      status: 403,
      body: { code: 'proof_required', inputError: 'password' },
    })
    expect(await ask(user.token, email, { password: 'wrong-one-here!' })).toMatchObject({
      status: 422,
      body: { code: 'password_wrong', inputError: 'password' },
    })
    expect((await ask(user.token, email, { password })).status).toBe(200)
  })
})

describe('T-10 a new address that has a user', () => {
  test('gets an identical reply; the owner of the address gets a mail and nothing changes', async () => {
    const [user, known] = [await people.owner(), await people.owner()]
    const free = freshEmail('free')
    const answers = [await ask(user.token, free), await ask(user.token, known.email)]
    const [one, two] = answers.map(({ text }, n) => text.replaceAll(n === 0 ? free : known.email, '<new>'))
    expect(two).toBe(one)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const mail = await expectMail(app, known.email, 'Someone asked to use your email address')
    expect(mail.links.filter(link => link.includes('token='))).toEqual([])
    // The old address, whose mailbox the asker can read, gets the same word both times.
    const first = await expectMail(app, user.email, 'Your email address is about to change')
    expect(first.text).toMatch(new RegExp(`${free}|${known.email}`))
    expect((await call('POST', '/api/user/verify/request', { token: user.token, body: {} })).body).toEqual({
      data: {},
      message: 'We sent you a new link',
    })
    expect(await rowOf(known.id)).toEqual({ email: known.email, verified: true })
  })

  test('an address that another user verifies first stays with that user', async () => {
    const user = await people.owner()
    const email = freshEmail('contested')
    await ask(user.token, email)
    const secret = await confirmation(email)
    const winner = await people.signUp(email)
    const mail = await expectMail(app, email, 'Verify your email')
    expect((await confirm(winner.token, secretOf(mail))).status).toBe(200)
    expect((await confirm(user.token, secret)).status).toBe(422)
    expect(await rowOf(user.id)).toMatchObject({ email: user.email })
  })
})

describe('T-23 lookalike letters', () => {
  test.each([
    'mara＠test.plinth.example',
    'ma\u0131ra@test.plinth.example',
    'mara@test.plinth.example.',
    'mara@test.plinth.example,eve@evil.example',
    'mara@@test.plinth.example',
    'mara@evil.example@test.plinth.example',
    '<mara@test.plinth.example>',
    'Mara <mara@evil.example>',
    'mara@test.plinth.example\r\nBcc: eve@evil.example',
    'mara@test.plinth.example\u0000.evil.example',
    '"mara@evil.example"@test.plinth.example',
    'мara@test.plinth.example',
    'mara@[127.0.0.1]',
  ])('%j is refused, and no mail is sent', async address => {
    const user = await people.owner()
    expect(await ask(user.token, address)).toMatchObject({ status: 422, body: { inputError: 'email' } })
    const { rows } = await db.asOwnerOfJobs('select id from email_changes where user_id = $1', [user.id])
    expect(rows).toEqual([])
  })

  test('an international domain is stored and written to in ASCII', async () => {
    const user = await people.owner()
    const email = freshEmail('idn')
    const name = email.slice(0, email.indexOf('@'))
    const { status, data } = await ask(user.token, `${name}@tést.plinth.example`)
    const ascii = `${name}@xn--tst-bma.plinth.example`
    expect([status, data.pending_email, data.email]).toEqual([200, ascii, user.email])
    await expectMail(app, ascii, 'Confirm your new email address')
  })

  test('upper case and blanks are ignored: the mail is sent to the stored spelling', async () => {
    const user = await people.owner()
    const email = freshEmail('plain')
    expect((await ask(user.token, `  ${email.toUpperCase()} `)).data.pending_email).toBe(email)
    expect((await ask(user.token, ` ${user.email.toUpperCase()} `)).data).toMatchObject({
      pending_email: null,
      verified: true,
    })
  })
})
