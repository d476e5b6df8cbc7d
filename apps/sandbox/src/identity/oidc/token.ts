import type { ControlCall, ControlReply } from '../../control/reply.ts'
import { type Client, findClient, type Provider } from '../providers.ts'
import { idToken } from './id-token.ts'

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const tokenError = (status: number, error: string, error_description: string): ControlReply => ({
  status,
  body: { error, error_description },
  headers: { ...noStore, ...(status === 401 && { 'www-authenticate': 'Basic realm="sandbox"' }) },
})

export function authenticateClient(provider: Provider, { body }: ControlCall): Client | undefined {
  const client = findClient(provider, body.client_id)
  return client?.client_secret === body.client_secret ? client : undefined
}

export async function tokenEndpoint(
  provider: Provider,
  issuer: string,
  control: ControlCall,
): Promise<ControlReply> {
  const { identity, body } = control
  const client = authenticateClient(provider, control)
  if (!client) return tokenError(401, 'invalid_client', 'client_id or client_secret is wrong')
  if (body.grant_type !== 'authorization_code')
    return tokenError(400, 'unsupported_grant_type', 'grant_type must be authorization_code')
  const spent = identity.codes.redeem(String(body.code), {
    at: `oidc/${provider.id}`,
    client_id: client.client_id,
    redirect_uri: body.redirect_uri,
    verifier: body.code_verifier,
  })
  if (!spent)
    return tokenError(
      400,
      'invalid_grant',
      'The code is unknown, used, expired, or not for this client or verifier.',
    )
  const { grant, token: access_token, expires_in } = spent
  if (grant.fault === 'token_500') return { status: 500, body: { error: 'server_error' } }
  return {
    status: 200,
    headers: noStore,
    body: {
      access_token,
      token_type: 'Bearer',
      expires_in,
      scope: grant.scope.join(' '),
      ...(grant.fault !== 'missing_id_token' && {
        id_token: await idToken(identity, issuer, grant, access_token),
      }),
    },
  }
}
