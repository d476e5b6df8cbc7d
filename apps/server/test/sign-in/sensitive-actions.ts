import { apiKeyHelpers } from '../factories/api-keys.ts'
import { masterFactory } from '../factories/masters.ts'
import { usePlan } from '../factories/use-plan.ts'
import { expectMail } from '../harness/expect-mail.ts'
import { tokenInMail } from '../harness/token-in-mail.ts'
import { freshEmail, type makeTestApp, password } from '../harness.ts'
import { billingCases } from '../sensitive-billing-calls.ts'
import { linkHelpers } from './magic-and-reset-links.ts'
import { passkeyHelpers } from './passkeys.ts'
import { openSocialBrowser } from './social.ts'
import { openSsoBrowser, ssoHelpers } from './sso.ts'
import { enableTwoFactor, totpCode } from './two-factor.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>
type Answer = { status: number; text?: string }

/** Expected audit entries and mails of a sensitive call. */
export type ActionTrace = {
  answer: Answer
  /** In the log of each of these accounts, once; null where the log goes with the account. */
  audit: { accounts: string[]; action: string } | null
  mails: [to: string, subject: string][]
}

const newPassword = 'another-good-password-2'

/** Every sensitive call of the contract, made by a permitted user, by `METHOD path` and an optional variant. */
export function sensitiveActions(made: App): Record<string, () => Promise<ActionTrace>> {
  const { app, call, clock, db, people, services } = made
  const links = linkHelpers(made)
  const sso = ssoHelpers(made)
  const { device } = passkeyHelpers(made)
  const { make } = apiKeyHelpers(made)

  /** A member of two accounts: changes of the sign-in are audited in both. */
  async function memberOfTwoAccounts() {
    const host = await people.owner()
    const user = await people.owner()
    await db.asOwnerOfJobs("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      host.account_id,
      user.id,
    ])
    return { ...user, inside: [user.account_id, host.account_id] }
  }
  const traceOf = (
    user: { email: string; inside: string[] },
    answer: Answer,
    action: string,
    subject: string,
  ): ActionTrace => ({ answer, audit: { accounts: user.inside, action }, mails: [[user.email, subject]] })

  async function movingTo(email: string) {
    const user = await memberOfTwoAccounts()
    await call('PATCH', '/api/user', { token: user.token, body: { email } })
    return user
  }
  type Owner = Awaited<ReturnType<typeof people.owner>>
  const called = ({ account_id, accounts }: Owner) => accounts.find(({ id }) => id === account_id)?.name ?? ''
  const ofSso = (owner: Owner, action: string) => ({
    audit: { accounts: [owner.account_id], action },
    mails: [[owner.email, `Single sign-on of ${called(owner)} was changed`]] as ActionTrace['mails'],
  })
  async function bySso(
    method: 'PUT' | 'PATCH' | 'DELETE',
    body: object,
    action: string,
  ): Promise<ActionTrace> {
    const { owner } = await sso.company()
    const answer = await call(method, '/api/sso/connection', { token: owner.token, body })
    return { answer, ...ofSso(owner, action) }
  }
  const startup = async () => usePlan(services, await people.owner(), 'startup')
  const ofKeys = (owner: Owner, answer: Answer, action: string, subject: string): ActionTrace => ({
    answer,
    audit: { accounts: [owner.account_id], action },
    mails: [[owner.email, subject.replace('…', called(owner))]],
  })
  const master = masterFactory(made)

  return {
    async 'POST /api/auth, on a new device'() {
      const user = await people.owner()
      const headers = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Mozilla/5.0 (X11) Firefox/147.0' }
      const answer = await call('POST', '/api/auth', { body: { email: user.email, password }, headers })
      return {
        answer,
        audit: { accounts: [user.account_id], action: 'session.new_device' },
        mails: [[user.email, 'A new device signed in']],
      }
    },
    async 'POST /api/auth/password/reset'() {
      const user = await memberOfTwoAccounts()
      const answer = await links.reset((await links.link('reset', user.email)).token, newPassword)
      return traceOf(user, answer, 'password.reset', 'Your password was changed')
    },
    async 'PUT /api/user/password'() {
      const user = await memberOfTwoAccounts()
      const body = { oldpassword: password, newpassword: newPassword }
      const answer = await call('PUT', '/api/user/password', { token: user.token, body })
      return traceOf(user, answer, 'password.changed', 'Your password was changed')
    },
    async 'PATCH /api/user, a new address'() {
      const user = await memberOfTwoAccounts()
      const body = { email: freshEmail('new') }
      const answer = await call('PATCH', '/api/user', { token: user.token, body })
      return traceOf(user, answer, 'email.change_asked', 'Your email address is about to change')
    },
    async 'PATCH /api/user, support let in'() {
      const user = await memberOfTwoAccounts()
      const answer = await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: true } })
      return traceOf(user, answer, 'support.allowed', 'Support access to your account is on')
    },
    async 'PATCH /api/user, the role of a member'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'user')
      const body = { id: member.id, permission: 'admin' }
      const answer = await call('PATCH', '/api/user', { token: owner.token, body })
      return {
        answer,
        audit: { accounts: [owner.account_id], action: 'member.role_changed' },
        mails: [[member.email, `Your permission in ${called(owner)} has changed`]],
      }
    },
    async 'POST /api/user/verify, of a new address'() {
      const email = freshEmail('new')
      const user = await movingTo(email)
      const token = tokenInMail(await expectMail(made, email, 'Confirm your new email address'))
      const answer = await call('POST', '/api/user/verify', { token: user.token, body: { token } })
      const trace = traceOf(user, answer, 'email.changed', 'Your email address was changed')
      return { ...trace, mails: [...trace.mails, [email, 'Your email address was changed']] }
    },
    async 'POST /api/auth/email/undo'() {
      const user = await movingTo(freshEmail('new'))
      const mail = await expectMail(made, user.email, 'Your email address is about to change')
      const answer = await call('POST', '/api/auth/email/undo', { body: { token: tokenInMail(mail) } })
      return traceOf(user, answer, 'email.change_undone', 'Your email address is back')
    },
    async 'PUT /api/user/2fa, off'() {
      const user = await enableTwoFactor(made, await memberOfTwoAccounts())
      const answer = await call('PUT', '/api/user/2fa', { token: user.token, body: { '2fa_enabled': false } })
      return traceOf(user, answer, 'two_factor.disabled', 'Two-factor sign-in is off')
    },
    async 'POST /api/user/2fa/verify'() {
      const user = await memberOfTwoAccounts()
      const begun = await call('PUT', '/api/user/2fa', { token: user.token, body: { '2fa_enabled': true } })
      const body = { code: totpCode(begun.data.secret, clock.now()) }
      const answer = await call('POST', '/api/user/2fa/verify', { token: user.token, body })
      return traceOf(user, answer, 'two_factor.enabled', 'Two-factor sign-in is on')
    },
    async 'POST /api/user/2fa/backup-code'() {
      const user = await enableTwoFactor(made, await memberOfTwoAccounts())
      const answer = await call('POST', '/api/user/2fa/backup-code', { token: user.token, body: {} })
      return traceOf(user, answer, 'two_factor.backup_renewed', 'You have a new backup code')
    },
    async 'POST /api/auth/otp, with the backup code'() {
      const user = await enableTwoFactor(made, await memberOfTwoAccounts())
      const { data } = await call('POST', '/api/auth', { body: { email: user.email, password } })
      const body = { jwt: data.token, code: user.backup_code }
      const answer = await call('POST', '/api/auth/otp', { body })
      return traceOf(user, answer, 'two_factor.backup_used', 'Your backup code was used to sign in')
    },
    async 'POST /api/user/passkeys'() {
      const user = await memberOfTwoAccounts()
      const own = device()
      const { credential } = own.make((await own.begin(user.token)).data)
      return traceOf(
        user,
        await own.finish(user.token, credential),
        'passkey.added',
        'A passkey was added to your sign-in',
      )
    },
    async 'DELETE /api/user/passkeys/:id'() {
      const user = await memberOfTwoAccounts()
      const { row } = await device().register(user.token)
      const answer = await call('DELETE', `/api/user/passkeys/${row.id}`, { token: user.token, body: {} })
      return traceOf(user, answer, 'passkey.removed', 'A passkey was removed from your sign-in')
    },
    async 'DELETE /api/user/identities/:id'() {
      const user = await memberOfTwoAccounts()
      await openSocialBrowser(app).signIn('google', { email: user.email, email_verified: true })
      const [one] = (await call('GET', '/api/user/identities', { token: user.token })).data
      const answer = await call('DELETE', `/api/user/identities/${one.id}`, { token: user.token, body: {} })
      return traceOf(user, answer, 'identity.disconnected', 'Google is disconnected from your Plinth sign-in')
    },
    async 'POST /api/auth/impersonate'() {
      const [by, user] = [await master(), await people.owner()]
      await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: true } })
      const { data } = await call('POST', '/api/impersonation', {
        token: by.token,
        body: { email: user.email },
      })
      const token = new URL(data.url).searchParams.get('token')
      const answer = await call('POST', '/api/auth/impersonate', { token: by.token, body: { token } })
      return traceOf(
        { ...user, inside: [user.account_id] },
        answer,
        'support.session_began',
        'Support signed in to your account',
      )
    },
    async 'POST /api/sso/domains/:id/check'() {
      const company = await sso.newCompany()
      const { domains } = await sso.api('POST', '/api/sso/domains', company, { domain: company.domain })
      const [row] = domains
      await sso.postToSandbox('/identity/dns', { name: row?.record_name, txt: [row?.record_value] })
      const at = `/api/sso/domains/${row?.id}/check`
      const answer = await call('POST', at, { token: company.owner.token, body: {} })
      return { answer, ...ofSso(company.owner, 'sso.domain_proven') }
    },
    async 'DELETE /api/sso/domains/:id'() {
      const company = await sso.newCompany()
      const [row] = (await sso.proveDomain(company)).domains
      const at = `/api/sso/domains/${row?.id}`
      const answer = await call('DELETE', at, { token: company.owner.token, body: {} })
      return { answer, ...ofSso(company.owner, 'sso.domain_removed') }
    },
    async 'PUT /api/sso/connection'() {
      const company = await sso.newCompany()
      const metadata_url = `${sso.sandbox}/identity/saml/${company.name}/metadata`
      const { token } = company.owner
      const answer = await call('PUT', '/api/sso/connection', { token, body: { metadata_url } })
      return { answer, ...ofSso(company.owner, 'sso.connected') }
    },
    'PATCH /api/sso/connection': () => bySso('PATCH', { enabled: false }, 'sso.disabled'),
    'DELETE /api/sso/connection': () => bySso('DELETE', {}, 'sso.disconnected'),
    async 'POST /auth/saml/callback, of somebody with that address'() {
      const company = await sso.company()
      const email = sso.address(company)
      const user = await people.verified(email)
      await db.asOwnerOfJobs("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
        company.owner.account_id,
        user.id,
      ])
      const answer = await sso.signIn(company, { email }, openSsoBrowser(made))
      return {
        answer,
        audit: { accounts: [company.owner.account_id], action: 'sso.linked' },
        mails: [[email, `You can sign in to ${called(company.owner)} with SSO`]],
      }
    },
    async 'DELETE /api/user'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'user')
      const answer = await call('DELETE', '/api/user', { token: member.token, body: { password } })
      return {
        answer,
        audit: { accounts: [owner.account_id], action: 'member.left' },
        mails: [[member.email, `You’ve left ${called(owner)}`]],
      }
    },
    async 'DELETE /api/account'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'user')
      const answer = await call('DELETE', '/api/account', { token: owner.token, body: { password } })
      const closed = `${called(owner)} is closed`
      return {
        answer,
        audit: null,
        mails: [
          [owner.email, closed],
          [member.email, closed],
        ],
      }
    },
    async 'DELETE /api/user/:id'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'user')
      const answer = await call('DELETE', `/api/user/${member.id}`, { token: owner.token, body: {} })
      return {
        answer,
        audit: { accounts: [owner.account_id], action: 'member.removed' },
        mails: [[member.email, `You’ve been removed from ${called(owner)}`]],
      }
    },
    async 'DELETE /api/user/:id/sessions'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'user')
      const answer = await call('DELETE', `/api/user/${member.id}/sessions`, { token: owner.token })
      return { answer, audit: { accounts: [owner.account_id], action: 'member.signed_out' }, mails: [] }
    },
    async 'POST /api/account/owner'() {
      const owner = await people.owner()
      const member = await people.member(owner, 'admin')
      const body = { user: member.id, stay: false }
      const answer = await call('POST', '/api/account/owner', { token: owner.token, body })
      return {
        answer,
        audit: { accounts: [owner.account_id], action: 'owner.transferred' },
        mails: [
          [member.email, `You’re now an owner of ${called(owner)}`],
          [owner.email, `${called(owner)} has a new owner`],
        ],
      }
    },
    async 'POST /api/invite'() {
      const owner = await people.owner()
      const email = freshEmail('invited')
      const answer = await call('POST', '/api/invite', { token: owner.token, body: { email } })
      return {
        answer,
        audit: { accounts: [owner.account_id], action: 'invite.sent' },
        mails: [[email, `Mara Okafor invited you to ${called(owner)}`]],
      }
    },
    ...billingCases(made, sso.sandbox),
    async 'POST /api/key'() {
      const owner = await startup()
      const body = { name: 'Warehouse sync', scope: ['usage.create'] }
      const answer = await call('POST', '/api/key', { token: owner.token, body })
      return ofKeys(owner, answer, 'api_key.created', 'A new API key for …')
    },
    async 'POST /api/key/:id/reveal'() {
      const owner = await startup()
      const { id } = await make(owner)
      const answer = await call('POST', `/api/key/${id}/reveal`, { token: owner.token, body: { password } })
      return ofKeys(owner, answer, 'api_key.revealed', 'An API key of … was revealed')
    },
    async 'PATCH /api/key/:id'() {
      const owner = await startup()
      const { id } = await make(owner, { scope: ['usage.create'] })
      const body = { scope: ['usage.create', 'event.create'], password }
      const answer = await call('PATCH', `/api/key/${id}`, { token: owner.token, body })
      return ofKeys(owner, answer, 'api_key.changed', 'An API key of … has more access')
    },
    async 'DELETE /api/key'() {
      const owner = await startup()
      const { id } = await make(owner)
      const answer = await call('DELETE', '/api/key', { token: owner.token, body: { id: [id] } })
      return ofKeys(owner, answer, 'api_key.deleted', 'API keys of … were deleted')
    },
  }
}
