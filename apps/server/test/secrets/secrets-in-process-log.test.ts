import { expect, test } from 'vitest'
import { callServer, signUpVerified } from '../harness/http-client.ts'
import { createServerEnv, startServer } from '../harness/server-process.ts'
import { freshEmail, password } from '../harness.ts'
import { totpCode } from '../sign-in/two-factor.ts'
import { openSecretTracker, trackSecretFields } from './secret-tracker.ts'

const env = await createServerEnv()

/** Each is sent somewhere a server might be tempted to log. */
const canary = (where: string) => `canary-${where}-0123456789abcdefghij`

test('the log contains no secret and no address, at the most verbose level and after errors [T-03] [T-82]', async () => {
  const server = await startServer({ ...env, LOG_LEVEL: 'trace' })
  const email = freshEmail('canary')
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body),
    })
  try {
    const person = {
      first_name: 'Canary',
      last_name: 'Lastname-Canary',
      email,
      password: `${canary('password')}!`,
    }
    const signedUp = await send('POST', '/api/account', person)
    const { data } = (await signedUp.json()) as { data: { token: string } } // as: the session user
    const { token } = data
    expect(signedUp.status).toBe(200)
    const linkPaths = ['/magic', '/resetpassword', '/signup/verify', '/login/social', '/signin/impersonate']
    for (const path of linkPaths) await send('GET', `${path}?token=${canary('query')}`)
    await send('POST', '/api/user/verify', { token: canary('mailed') }, { authorization: `Bearer ${token}` })
    await send('POST', '/api/auth', { email, password: canary('wrong') })
    await send('POST', '/api/auth/magic', { email, password: canary('unread') })
    await send('POST', '/api/auth/magic/verify', { token: canary('magic') })
    await send('POST', '/api/auth/link', { token: canary('looked'), purpose: 'reset' })
    await send('POST', '/api/auth/password/reset', { jwt: canary('reset'), password: `${canary('new')}!` })
    await send('GET', '/api/auth', undefined, { authorization: `Bearer ${canary('bearer')}` })
    for (const scheme of ['Bearer', 'Basic'])
      await send('POST', '/api/event', undefined, { authorization: `${scheme} plinth_test_${canary('api')}` })
    await send('GET', '/api/user', undefined, { cookie: `browser=${canary('cookie')}` })
    const own = { authorization: `Bearer ${token}` }
    for (const code of ['otp', 'backup'])
      await send('POST', '/api/auth/otp', { code: canary(code), jwt: canary('challenge') })
    await send('POST', '/api/user/2fa/verify', { code: canary('set-up') }, own)
    await send('PUT', '/api/user/2fa', { '2fa_enabled': true, code: canary('proof') }, own)
    const said = Buffer.from(JSON.stringify({ challenge: canary('passkey') })).toString('base64url')
    const response = {
      clientDataJSON: said,
      authenticatorData: 'AA',
      signature: canary('signature'),
      userHandle: canary('handle'),
    }
    const credential = { id: canary('credential'), rawId: canary('credential'), type: 'public-key', response }
    await send('POST', '/api/auth/passkey', { credential })
    await send('POST', '/api/auth/email/undo', { token: canary('undo') })
    await send('POST', '/api/auth/session/end', { token: canary('end') })
    await send('POST', '/api/auth/impersonate', { token: canary('support') }, own)
    await send('POST', '/auth/saml/callback', { token: canary('saml') })
    const form = new URLSearchParams({ SAMLResponse: canary('response'), RelayState: canary('relay') })
    await fetch(`${server.url}/auth/saml/acs?RelayState=${canary('query')}`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    for (const path of [
      '/auth/social/google/callback?code',
      '/auth/saml?connection',
      '/signin/end?token',
      '/signin/undo?token',
    ])
      await fetch(`${server.url}${path}=${canary('query')}&state=${canary('state')}`, { redirect: 'manual' })
    for (const key of [`plinth_live_${canary('key')}`, `Basic ${canary('basic')}`])
      await send(
        'POST',
        '/api/event',
        { name: 'x' },
        { authorization: key.includes(' ') ? key : `Bearer ${key}` },
      )
    await send('POST', '/api/auth', `{"password":"${canary('broken')}"`)
    await send('POST', '/api/account', { ...person, idempotent: canary('unknown') })
    await send('POST', '/api/account', person, { 'idempotency-key': canary('key') })
    await send('GET', `/api/nothing/${canary('path')}?secret=${canary('query')}`)
    const { keep, foundIn } = openSecretTracker()
    await comeIn(server.url, keep)
    await server.stop()
    const log = server.output() + server.errors()
    expect(log).toContain('as system')
    expect(foundIn(log)).toEqual([])
    for (const secret of ['canary-', said, token, email, 'Lastname-Canary']) expect(log).not.toContain(secret)
  } finally {
    await server.kill()
  }
})

/** Accepted secrets: checks output outside the log only; secrets-in-log.test.ts checks the log. */
async function comeIn(url: string, keep: ReturnType<typeof openSecretTracker>['keep']) {
  const ok = async (method: string, path: string, body: object, session?: string) => {
    const { status, data } = await callServer(url + path, method, body, session)
    expect(status, path).toBe(200)
    trackSecretFields(keep, `that ${path} gave`, data)
    return data
  }
  const { email, token } = await signUpVerified(url, 'taken')
  keep('password', password)
  keep('session', token)
  const own = keep('own password', 'tall-blue-harbour-42!')
  const changed = await ok(
    'PUT',
    '/api/user/password',
    { oldpassword: password, newpassword: own, confirm_password: own },
    token,
  )
  const { secret = '' } = await ok('PUT', '/api/user/2fa', { '2fa_enabled': true }, changed.token)
  const code = keep('code', totpCode(secret, new Date()))
  const proven = await ok('POST', '/api/user/2fa/verify', { code }, changed.token)
  const { token: jwt } = await ok('POST', '/api/auth', { email, password: own })
  await ok('POST', '/api/auth/otp', { jwt, code: proven.backup_code })
}
