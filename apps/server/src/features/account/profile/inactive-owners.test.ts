import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'

const { call, people } = await makeTestApp()
const profile = async (token: string) => (await call('GET', '/api/user', { token })).data

test('only members of an account without a plan read the names of its owners', async () => {
  const [owner, other] = [await people.verified(), await people.owner()]
  const member = await people.member(owner, 'user')
  const { name } = await profile(owner.token)
  expect(await profile(member.token)).toMatchObject({ plan: null, owners: [name] })
  expect(await profile(owner.token)).not.toHaveProperty('owners')
  expect(await profile(other.token)).not.toHaveProperty('owners')
})

test('members of an account with an active plan do not see the names of its owners', async () => {
  const owner = await people.owner()
  const member = await people.member(owner, 'admin')
  expect(await profile(member.token)).not.toHaveProperty('owners')
})
