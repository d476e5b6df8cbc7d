import { type ControlCall, type ControlReply, jsonReply } from '../control/reply.ts'
import type { Grant } from './authorization-codes.ts'
import { type AuthorizeEndpoint, authorize, refuseWithoutPkce } from './oidc/authorize.ts'
import { bearer } from './oidc/routes.ts'
import { authenticateClient } from './oidc/token.ts'
import { fullName } from './people.ts'
import { findProvider } from './providers.ts'

/**
 * GitHub's OAuth 2 without OpenID Connect: no discovery, no ID token, no `iss`. Token errors have status 200, ids are
 * numbers, and email addresses need a separate call.
 */
const github = findProvider('github')

function accessToken(control: ControlCall): ControlReply {
  const { identity, body } = control
  const refuse = (error: string, error_description: string) =>
    jsonReply({ error, error_description, error_uri: `${control.context.origin}/identity` })
  const client = github && authenticateClient(github, control)
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
  if (fault === 'token_500') return { status: 500, body: { message: 'Server Error' } }
  return jsonReply({ access_token: spent.token, token_type: 'bearer', scope: scope.join(',') })
}

/** The profile has no email address: no user here made it public. */
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
  if (fault === 'no_emails') return []
  if (fault === 'none_verified') return [address(person.email, true, false), second(false)]
  if (fault === 'primary_unverified') return [address(person.email, true, false), second(true)]
  return [second(true), address(person.email, true, person.email_verified)]
}

const apiRefusal = (status: number, message: string): ControlReply => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})

function api(control: ControlCall, call: string): ControlReply {
  if (!control.headers['user-agent'])
    return apiRefusal(
      403,
      'Request forbidden by administrative rules. Please make sure to send a User-Agent.',
    )
  const grant = control.identity.codes.findGrant('github', bearer(control))
  if (!grant) return apiRefusal(401, 'Bad credentials')
  const scopes = { 'x-oauth-scopes': grant.scope.join(', ') }
  if (call === 'user') {
    if (grant.fault === 'user_500') return apiRefusal(500, 'Server Error')
    return { status: 200, body: user(control.context.origin, grant), headers: scopes }
  }
  if (grant.fault === 'emails_500') return apiRefusal(500, 'Server Error')
  if (!grant.scope.some(one => one === 'user' || one === 'user:email')) return apiRefusal(404, 'Not Found')
  return { status: 200, body: emails(grant), headers: scopes }
}

export function githubRoutes(control: ControlCall): ControlReply | undefined {
  const [, call = ''] = /^\/identity\/github\/(.+)$/.exec(control.url.pathname) ?? []
  if (!github) return undefined
  const endpoint: AuthorizeEndpoint = {
    provider: github,
    at: 'github',
    issuer: null,
    subject: /^[1-9]\d{0,14}$/,
    refuse: refuseWithoutPkce,
  }
  switch (`${control.method} ${call}`) {
    case 'GET authorize':
    case 'POST authorize':
      return authorize(endpoint, control)
    case 'POST access_token':
      return accessToken(control)
    case 'GET user':
    case 'GET user/emails':
      return api(control, call)
    default:
      return undefined
  }
}
