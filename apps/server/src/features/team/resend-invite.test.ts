import { describe, expect, test } from 'vitest'
import { type By, teamHelpers } from '../../../test/factories/team.ts'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people } = harness
const { ownerOn, system } = teamHelpers(harness)

const invite = (by: By, email: string, permission: string, more = {}) =>
  call('POST', '/api/invite', { token: by.token, body: { email, permission, ...more } })
const invitesOf = ({ account_id }: { account_id: string }) =>
  system('select id, role, secret_hash, expires_at from invites where account_id = $1 order by email', [
    account_id,
  ])
const bypass = {
  bypass_signup: true,
  first_name: 'Bram',
  last_name: 'Koster',
  password: 'given-password-1',
  confirm_password: 'given-password-1',
}

/** An account with an invite into developer, which an administrator can neither give nor withdraw. */
async function invited() {
  const owner = await ownerOn()
  const admin = await people.member(owner, 'admin')
  const email = freshEmail('ines')
  expect((await invite(owner, email, 'developer')).status).toBe(200)
  return { owner, admin, email, before: await invitesOf(owner) }
}

describe('a member can’t resend an invite that they couldn’t withdraw [T-32]', () => {
  test.each([
    ['with another role', {}],
    ['by making the user at once', bypass],
  ])('%s', async (_how, more) => {
    const { owner, admin, email, before } = await invited()
    const { status, body } = await invite(admin, email, 'user', more)
    expect([status, body]).toEqual([
      403,
      {
        code: 'permission_required',
        inputError: 'email',
        message: `${email} is invited with a permission you can’t grant`,
      },
    ])
    expect(await invitesOf(owner)).toEqual(before)
    expect(await system('select id from users where email = $1', [email])).toEqual([])
  })

  test('is refused once it has expired', async () => {
    const { owner, admin, email } = await invited()
    await system("update invites set expires_at = now() - interval '1 day' where account_id = $1", [
      owner.account_id,
    ])
    const before = await invitesOf(owner)
    expect((await invite(admin, email, 'user')).status).toBe(403)
    expect(await invitesOf(owner)).toEqual(before)
  })

  test('in a list it is skipped and named; the others are invited', async () => {
    const { owner, admin, email, before } = await invited()
    const fresh = freshEmail('fresh')
    const { status, data, body } = await invite(admin, `${email}, ${fresh}`, 'admin')
    expect([status, body.message]).toEqual([200, '1 invite sent, 1 not sent'])
    expect(data).toEqual([
      { id: null, email, permission: 'admin', date_sent: null, result: 'permission_required' },
      expect.objectContaining({ email: fresh, result: 'sent' }),
    ])
    expect(await invitesOf(owner)).toEqual(expect.arrayContaining(before))
  })

  test('an admin resends their own invites, and an owner’s into a role that an admin may give', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const email = freshEmail('tomas')
    await invite(owner, email, 'admin')
    expect((await invite(admin, email, 'user')).data).toMatchObject([
      { email, permission: 'user', result: 'resent' },
    ])
  })
})
