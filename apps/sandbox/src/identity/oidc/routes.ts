import { exportJWK } from 'jose'
import { type ControlCall, type ControlReply, jsonReply } from '../../control/reply.ts'
import { findProvider, type Provider } from '../providers.ts'
import { type AuthorizeEndpoint, authorize, refuseWithoutPkce } from './authorize.ts'
import { tokenEndpoint, tokenError } from './token.ts'
import { personClaims } from './user-claims.ts'

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'email', 'profile'],
  claims_supported: ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'xms_edov'],
  authorization_response_iss_parameter_supported: true,
})

async function keySet({ identity }: ControlCall, name: 'foreign' | 'oidc'): Promise<ControlReply> {
  const jwk = await exportJWK((await identity.key(name)).publicKey)
  return jsonReply({ keys: [{ ...jwk, kid: name, alg: 'RS256', use: 'sig' }] })
}

export const bearer = ({ headers }: ControlCall) =>
  /^(?:bearer|token) (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''

function userinfo(provider: Provider, control: ControlCall): ControlReply {
  const grant = control.identity.codes.findGrant(`oidc/${provider.id}`, bearer(control))
  if (!grant) {
    const refusal = tokenError(401, 'invalid_token', 'The access token is unknown or expired.')
    return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer error="invalid_token"' } }
  }
  const { fault } = grant
  if (fault === 'userinfo_500') return { status: 500, body: { error: 'server_error' } }
  const claims = personClaims(grant.person, grant.scope, fault)
  return jsonReply(fault === 'userinfo_other_sub' ? { ...claims, sub: `${claims.sub}0` } : claims)
}

function refuseRequest(query: URLSearchParams): readonly [string, string] | null {
  if (!(query.get('scope') ?? '').split(' ').includes('openid'))
    return ['invalid_scope', 'scope must contain openid']
  return refuseWithoutPkce(query)
}

/** One issuer for each provider, for example /identity/oidc/google. */
export function oidcRoutes(control: ControlCall): Promise<ControlReply> | ControlReply | undefined {
  const { context, method, url } = control
  const [, id = '', call = ''] = /^\/identity\/oidc\/([a-z]+)\/(.+)$/.exec(url.pathname) ?? []
  const provider = findProvider(id)
  if (!provider || id === 'github') return undefined
  const issuer = `${context.origin}/identity/oidc/${id}`
  const endpoint: AuthorizeEndpoint = {
    provider,
    at: `oidc/${id}`,
    issuer,
    subject: /^[\x20-\x7e]{1,255}$/,
    refuse: refuseRequest,
  }
  switch (`${method} ${call}`) {
    case 'GET .well-known/openid-configuration':
      return jsonReply(discovery(issuer))
    case 'GET jwks':
      return keySet(control, 'oidc')
    case 'GET foreign-jwks':
      return keySet(control, 'foreign')
    case 'GET authorize':
    case 'POST authorize':
      return authorize(endpoint, control)
    case 'POST token':
      return tokenEndpoint(provider, issuer, control)
    case 'GET userinfo':
      return userinfo(provider, control)
    default:
      return undefined
  }
}
