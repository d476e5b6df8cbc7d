import type { Control, Reply } from '../control/reply.ts'
import type { Grant } from './codes.ts'
import { authorize, type Door, refuseWithoutPkce } from './oidc/authorize.ts'
import { bearer } from './oidc/routes.ts'
import { authenticated } from './oidc/token.ts'
import { fullName } from './people.ts'
import { findProvider } from './providers.ts'

/**
 * GitHub as it is: OAuth 2 without OpenID Connect. No discovery, no id token, no `iss`; refusals of the token
 * endpoint come with status 200; numbers as ids; and the addresses are a call of their own.
 */
const github = findProvider('github')

/** GitHub answers in the form encoding unless JSON is asked for. */
function tokenReply({ headers }: Control, fields: Record<string, string>): Reply {
  if (headers.accept?.includes('json')) return { status: 200, body: fields }
  return { status: 200, body: String(new URLSearchParams(fields)), type: 'application/x-www-form-urlencoded' }
}

async function accessToken(control: Control): Promise<Reply> {
  const { identity, body } = control
  const refuse = (error: string, error_description: string) =>
    tokenReply(control, { error, error_description, error_uri: `${control.world.origin}/identity` })
  const client = github && authenticated(github, control)
  if (!client)
    return refuse('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.')
  const spent = identity.codes.redeem(String(body.code), {
    at: 'github',
    client_id: client.client_id,
    redirect_uri: body.redirect_uri,
    verifier: body.code_verifier,
  })
  if (!spent) return refuse('bad_verification_code', 'The code passed is incorrect or expired.')
  const { fault, scope } = spent.grant
  if (fault?.kind === 'token_500') return { status: 500, body: { message: 'Server Error' } }
  if (fault?.kind === 'token_slow') await identity.faults.hold(fault.ms)
  return tokenReply(control, { access_token: spent.token, token_type: 'bearer', scope: scope.join(',') })
}

/** The address is on the profile only for those who made it public: nobody here. */
function user(origin: string, { person }: Grant) {
  const login = person.email.split('@')[0]
  return {
    login,
    id: Number(person.subject),
    node_id: Buffer.from(`04:User${person.subject}`).toString('base64'),
    avatar_url: `${origin}/sandbox/files/mark.svg`,
    html_url: `${origin}/identity/github/${login}`,
    type: 'User',
    site_admin: false,
    name: fullName(person) || null,
    company: null,
    email: null,
  }
}

const address = (email: string, primary: boolean, verified: boolean) => ({
  email,
  primary,
  verified,
  visibility: primary ? 'private' : null,
})

function emails({ person, fault }: Grant) {
  const second = (verified: boolean) =>
    address(`${person.subject}+second@users.sandbox.example`, false, verified)
  if (fault?.kind === 'no_emails') return []
  if (fault?.kind === 'none_verified') return [address(person.email, true, false), second(false)]
  if (fault?.kind === 'primary_unverified') return [address(person.email, true, false), second(true)]
  return [second(true), address(person.email, true, person.email_verified)]
}

const apiRefusal = (status: number, message: string): Reply => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})

function api(control: Control, call: string): Reply {
  if (!control.headers['user-agent'])
    return apiRefusal(
      403,
      'Request forbidden by administrative rules. Please make sure to send a User-Agent.',
    )
  const grant = control.identity.codes.holder('github', bearer(control))
  if (!grant) return apiRefusal(401, 'Bad credentials')
  const scopes = { 'x-oauth-scopes': grant.scope.join(', ') }
  if (call === 'user') {
    if (grant.fault?.kind === 'user_500') return apiRefusal(500, 'Server Error')
    return { status: 200, body: user(control.world.origin, grant), headers: scopes }
  }
  if (grant.fault?.kind === 'emails_500') return apiRefusal(500, 'Server Error')
  if (!grant.scope.some(one => one === 'user' || one === 'user:email')) return apiRefusal(404, 'Not Found')
  return { status: 200, body: emails(grant), headers: scopes }
}

export function githubRoutes(control: Control): Promise<Reply> | Reply | undefined {
  const [, call = ''] = /^\/identity\/github\/(.+)$/.exec(control.url.pathname) ?? []
  if (!github) return undefined
  const door: Door = {
    provider: github,
    at: 'github',
    issuer: null,
    subject: /^[1-9]\d{0,14}$/,
    refuse: refuseWithoutPkce,
  }
  switch (`${control.method} ${call}`) {
    case 'GET authorize':
    case 'POST authorize':
      return authorize(door, control)
    case 'POST access_token':
      return accessToken(control)
    case 'GET user':
    case 'GET user/emails':
      return api(control, call)
    default:
      return undefined
  }
}
