import type { ControlCall, ControlReply } from '../../control/reply.ts'
import { invalid } from '../../http/api-error.ts'
import { type IdentityFault, readFault } from '../identity-faults.ts'
import { chosenPerson } from '../people.ts'
import { findClient, isLoopback, type Provider } from '../providers.ts'
import { choicePage, problemPage, seeOther } from '../sign-in-page.ts'

/** The authorize endpoint of an OpenID Connect issuer or of GitHub. */
export interface AuthorizeEndpoint {
  provider: Provider
  /** The path below /identity. */
  at: string
  /** The issuer, for the `iss` parameter (RFC 9207); undefined for GitHub. */
  issuer: string | null
  /** Formats a person's subject. */
  subject: RegExp
  /** Further checks of this provider; returns [error, description]. */
  refuse: (query: URLSearchParams) => readonly [string, string] | null
}

/** The redirect to the product with these and the common parameters. */
function answer(
  endpoint: AuthorizeEndpoint,
  query: URLSearchParams,
  fields: Record<string, string>,
  fault?: IdentityFault,
) {
  const back = new URL(query.get('redirect_uri') ?? '')
  const state = query.get('state')
  for (const [name, value] of Object.entries(fields)) back.searchParams.set(name, value)
  if (state !== null && fault !== 'missing_state')
    back.searchParams.set('state', fault === 'wrong_state' ? `${state}x` : state)
  if (endpoint.issuer !== null && fault !== 'missing_response_iss')
    back.searchParams.set(
      'iss',
      fault === 'wrong_response_iss' ? `${endpoint.issuer}-other` : endpoint.issuer,
    )
  return seeOther(back.href)
}

function page(endpoint: AuthorizeEndpoint, url: URL): ControlReply {
  return choicePage({
    provider: `${endpoint.provider.title} (sandbox)`,
    to: new URL(url.searchParams.get('redirect_uri') ?? '').host,
    action: url.pathname + url.search,
    fields: [
      { name: 'email', label: 'Email', type: 'email', required: true },
      { name: 'name', label: 'Name' },
      {
        name: 'subject',
        label: 'Subject',
        hint: 'What the provider knows the person by. Left empty, it follows from the address.',
      },
    ],
    verifiable: true,
  })
}

/** GET shows the page; POST to the same address submits the choice, from the page or a test. */
export function authorize(
  endpoint: AuthorizeEndpoint,
  { identity, method, url, body }: ControlCall,
): ControlReply | undefined {
  const { searchParams: query } = url
  // No redirect before the client and the redirect URI are checked.
  const client = findClient(endpoint.provider, query.get('client_id'))
  if (!client)
    return problemPage('Unknown client', `${endpoint.provider.title} does not know this client_id.`)
  const redirect_uri = query.get('redirect_uri')
  if (!isLoopback(redirect_uri))
    return problemPage('Not a way back', 'redirect_uri must lead to this machine: localhost or 127.0.0.1.')

  const refusal =
    query.get('response_type') === 'code'
      ? endpoint.refuse(query)
      : (['unsupported_response_type', 'response_type must be code'] as const)
  if (refusal) return answer(endpoint, query, { error: refusal[0], error_description: refusal[1] })
  if (method === 'GET') return page(endpoint, url)
  if (method !== 'POST') return undefined

  if (body.action === 'deny')
    return answer(endpoint, query, {
      error: 'access_denied',
      error_description: 'The person denied the sign-in.',
    })
  const person = chosenPerson(body)
  if (!endpoint.subject.test(person.subject))
    throw invalid(`${endpoint.provider.title} has no such subject: ${endpoint.subject}`, 'subject')
  const fault = readFault(endpoint.provider.id, body.fault)
  const code = identity.codes.issue({
    at: endpoint.at,
    client_id: client.client_id,
    redirect_uri,
    challenge: query.get('code_challenge'),
    nonce: query.get('nonce'),
    scope: (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean),
    person,
    fault,
  })
  return answer(endpoint, query, { code }, fault)
}

/** Requires PKCE with S256. */
export function refuseWithoutPkce(query: URLSearchParams): readonly [string, string] | null {
  if (!/^[\w-]{43}$/.test(query.get('code_challenge') ?? ''))
    return ['invalid_request', 'code_challenge is required (PKCE)']
  if (query.get('code_challenge_method') !== 'S256')
    return ['invalid_request', 'code_challenge_method must be S256']
  return null
}
