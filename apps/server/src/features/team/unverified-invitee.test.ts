import { describe, expect, test } from 'vitest'
import { type By, teamHelpers } from '../../../test/factories/team.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people } = harness
const { ownerOn, system, rolesIn, created } = teamHelpers(harness)

const look = (invite_id: string, { token }: By) =>
  call('POST', '/api/invite/look', { token, body: { invite_id } })
const accept = (invite_id: string, { token }: By) =>
  call('POST', '/api/invite/accept', { token, body: { invite_id } })
const seen = async (email: string) => (await people.mailTo(email)).id

/** The secret of an invite that is mailed after what the address has got so far. */
async function invited(by: By, email: string, after: string) {
  await call('POST', '/api/invite', { token: by.token, body: { email } })
  return people.inviteSecret(email, after)
}

/** A second sign-up with an address that has had mail. @returns the user and the newest mail's id */
async function signUpAgain(email: string, first_name: string) {
  const before = await seen(email)
  const user = await people.signUp(email, first_name)
  return { user, last: (await people.mailTo(email, before)).id }
}

describe('an invite to the address of an unverified sign-up', () => {
  test('is accepted by the signed-in user, verifies the address and keeps the own account', async () => {
    const owner = await ownerOn()
    const user = await people.signUp(freshEmail('ada'), 'Ada')
    const secret = await invited(owner, user.email, await seen(user.email))
    expect((await look(secret, user)).data).toMatchObject({ signed_in: 'as_invited', has_user: false })
    const { status, data } = await accept(secret, user)
    expect([status, data.account_id, data.verified]).toEqual([200, owner.account_id, true])
    expect(data.accounts).toHaveLength(2)
    expect(await rolesIn(owner)).toMatchObject({ [user.id]: 'user' })
    expect(await rolesIn(user)).toEqual({ [user.id]: 'owner' })
    const again = await call('POST', '/api/auth', { body: { email: user.email, password } })
    expect([again.status, again.data.verified]).toEqual([200, true])
  })

  test('deletes all other unverified users of the address', async () => {
    const owner = await ownerOn()
    const email = freshEmail('twice')
    const stranger = await people.signUp(email, 'Eve')
    const { user, last } = await signUpAgain(email, 'Ada')
    const secret = await invited(owner, email, last)
    expect((await accept(secret, user)).status).toBe(200)
    expect(await system('select id from users where email = $1', [email])).toEqual([{ id: user.id }])
    expect((await call('GET', '/api/auth', { token: stranger.token })).data.authenticated).toBe(false)
  })

  test('does nothing for an unverified user of another address', async () => {
    const owner = await ownerOn()
    const user = await people.signUp()
    const email = freshEmail('other')
    await call('POST', '/api/invite', { token: owner.token, body: { email } })
    const secret = await people.inviteSecret(email)
    expect((await look(secret, user)).data.signed_in).toBe('as_other')
    expect((await accept(secret, user)).body.code).toBe('invite_other_address')
    expect(await system('select verified_at from users where id = $1', [user.id])).toEqual([
      { verified_at: null },
    ])
  })

  test('does nothing without a valid invite', async () => {
    const user = await people.signUp()
    expect((await accept('made-up', user)).body.code).toBe('invite_expired')
    expect(await system('select verified_at from users where id = $1', [user.id])).toEqual([
      { verified_at: null },
    ])
  })

  test('moves the new account to the verified user of the address, who then signs in to join', async () => {
    const owner = await ownerOn()
    const known = await people.verified()
    const { user, last } = await signUpAgain(known.email, 'Ada')
    const secret = await invited(owner, known.email, last)
    const { status, body } = await accept(secret, user)
    expect([status, body.code]).toEqual([401, 'sign_in_again'])
    expect(await rolesIn(user)).toEqual({ [known.id]: 'owner' })
    expect((await accept(secret, known)).status).toBe(200)
    expect(await rolesIn(owner)).toMatchObject({ [known.id]: 'user' })
  })

  test('a user whose password an admin chose must verify first', async () => {
    const [maker, owner] = [await ownerOn(), await ownerOn()]
    const { id, email } = await created(maker)
    const secret = await invited(owner, email, await seen(email))
    const { data } = await call('POST', '/api/auth', { body: { email, password: 'given-password-1' } })
    expect((await accept(secret, data)).body.code).toBe('verification_required')
    expect(await system('select verified_at from users where id = $1', [id])).toEqual([{ verified_at: null }])
  })

  test('gives nothing when the account is full', async () => {
    const owner = await people.owner()
    const user = await people.signUp()
    const secret = await invited(owner, user.email, await seen(user.email))
    for (const _ of [1, 2]) await people.member(owner, 'user')
    expect((await accept(secret, user)).body.code).toBe('account_full')
    expect(await system('select verified_at from users where id = $1', [user.id])).toEqual([
      { verified_at: null },
    ])
  })
})
