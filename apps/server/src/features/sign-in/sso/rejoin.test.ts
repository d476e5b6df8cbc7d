import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { call, db, people } = made
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

test('a removed member who signs in again is a new member, with an audit entry and a mail to the owner', async () => {
  const company = await sso.company()
  const email = sso.address(company, 'back')
  const first = await sso.signIn(company, { email, first_name: 'Ida', last_name: 'Ek' })
  const { token, account_id } = company.owner
  expect((await call('DELETE', `/api/user/${first.data.id}`, { token })).status).toBe(200)
  const { id: seen } = await people.mailTo(company.owner.email)
  const second = await sso.signIn(company, { email, first_name: 'Ida', last_name: 'Ek' })
  expect(second.data.id).not.toBe(first.data.id)
  const mail = await people.mailTo(company.owner.email, seen)
  expect(mail.subject).toMatch(/^Ida Ek joined .* with SSO$/)
  expect(mail.text).toContain('If you removed this person before')
  expect(
    await rows(
      "select user_id from audit_log where account_id = $1 and action = 'sso.joined' order by created_at",
      [account_id],
    ),
  ).toEqual([{ user_id: first.data.id }, { user_id: second.data.id }])
})
