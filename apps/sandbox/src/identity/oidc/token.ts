import type { Control, Reply } from '../../control/reply.ts'
import { findClient, type Provider } from '../providers.ts'
import { idToken } from './id-token.ts'

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const refuse = (status: number, error: string, error_description: string): Reply => ({
  status,
  body: { error, error_description },
  headers: { ...noStore, ...(status === 401 && { 'www-authenticate': 'Basic realm="sandbox"' }) },
})

/** A part of a Basic header is form-encoded before it is put together (RFC 6749, 2.3.1). */
const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))

function credentials({ headers, body }: Control): { id: unknown; secret: unknown } | undefined {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ')
  if (scheme.toLowerCase() !== 'basic') return { id: body.client_id, secret: body.client_secret }
  // two ways at once are forbidden, so that no part of the way can disagree about who asks
  if (body.client_secret !== undefined) return undefined
  const pair = Buffer.from(value, 'base64').toString()
  const colon = pair.indexOf(':')
  try {
    return { id: decoded(pair.slice(0, colon)), secret: decoded(pair.slice(colon + 1)) }
  } catch {
    // not form-encoded: no client of ours
    return undefined
  }
}

export function authenticated(provider: Provider, control: Control) {
  const given = credentials(control)
  const client = given && findClient(provider, given.id)
  return client && client.client_secret === given.secret ? client : undefined
}

export async function token(provider: Provider, issuer: string, control: Control): Promise<Reply> {
  const { identity, body } = control
  const client = authenticated(provider, control)
  if (!client) return refuse(401, 'invalid_client', 'client_id or client_secret is wrong')
  if (body.grant_type !== 'authorization_code')
    return refuse(400, 'unsupported_grant_type', 'grant_type must be authorization_code')
  const spent = identity.codes.redeem(String(body.code), {
    at: `oidc/${provider.id}`,
    client_id: client.client_id,
    redirect_uri: body.redirect_uri,
    verifier: body.code_verifier,
  })
  if (!spent)
    return refuse(
      400,
      'invalid_grant',
      'The code is unknown, used, expired, or not for this client or verifier.',
    )
  const { grant, token: access_token, expires_in } = spent
  if (grant.fault?.kind === 'token_500') return { status: 500, body: { error: 'server_error' } }
  if (grant.fault?.kind === 'token_slow') await identity.faults.hold(grant.fault.ms)
  return {
    status: 200,
    headers: noStore,
    body: {
      access_token,
      token_type: 'Bearer',
      expires_in,
      scope: grant.scope.join(' '),
      ...(grant.fault?.kind !== 'missing_id_token' && {
        id_token: await idToken(identity, issuer, grant, access_token),
      }),
    },
  }
}
