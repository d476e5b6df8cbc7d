import { expectMail } from '../harness/expect-mail.ts'
import { tokenInMail } from '../harness/token-in-mail.ts'
import { freshEmail, type makeTestApp, password } from '../harness.ts'

/** Changes an email address through the API and the mailed links. */
export function emailChangeHelpers(app: Awaited<ReturnType<typeof makeTestApp>>) {
  const { call, people, db } = app
  const ask = (token: string, email: string, proof: object = {}) =>
    call('PATCH', '/api/user', { token, body: { email, ...proof } })
  const confirm = (token: string, secret: string) =>
    call('POST', '/api/user/verify', { token, body: { token: secret } })
  const undo = (secret: string) => call('POST', '/api/auth/email/undo', { body: { token: secret } })
  const signIn = (email: string, secret = password) =>
    call('POST', '/api/auth', { body: { email, password: secret } })
  const confirmation = async (email: string) =>
    tokenInMail(await expectMail(app, email, 'Confirm your new email address'))
  const notice = async (email: string) =>
    tokenInMail(await expectMail(app, email, 'Your email address is about to change'))
  const rowOf = async (id: string) =>
    (
      await db.asOwnerOfJobs('select email, verified_at is not null as verified from users where id = $1', [
        id,
      ])
    ).rows[0]

  async function changed() {
    const user = await people.owner()
    const email = freshEmail('new')
    await ask(user.token, email)
    const undo_secret = await notice(user.email)
    const answer = await confirm(user.token, await confirmation(email))
    const token: string = answer.data.token
    return { ...user, token, old: user.email, email, undo_secret }
  }

  return { ask, confirm, undo, signIn, secretOf: tokenInMail, confirmation, notice, rowOf, changed }
}
