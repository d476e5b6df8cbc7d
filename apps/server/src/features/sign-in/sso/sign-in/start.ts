import { normalizeDomain, parseEmail } from '@plinth/contract/email'
import type { Context } from '../../../../context.ts'
import { createAuthnRequest } from '../../../../integrations/saml/saml.ts'
import { hashToken, newToken } from '../../../../lib/crypto.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import { domainOf } from '../rules.ts'
import { samlKeyBinding, serviceOf } from '../service-provider.ts'
import * as store from './store.ts'

/** How long a user may take at the provider. */
const requestMinutes = 10

/**
 * Starts a sign-in in this browser, with the connection of an address, of a domain, or by id.
 *
 * A link on another site leads to our sign-in page instead, so that its own provider can't sign a visitor in unasked.
 * @param fromElsewhere whether another site sent the browser
 * @returns the URL of the redirect
 */
export async function startSsoSignIn(
  ctx: Context,
  query: URLSearchParams,
  { fromElsewhere }: { fromElsewhere: boolean },
): Promise<string> {
  const asked = askedFor(query)
  if (fromElsewhere) return `/login/saml?${new URLSearchParams(asked)}`
  const id = await findId(ctx, asked)
  const connection = id
    ? await ctx.asSystem('start single sign-on', tx => store.findConnectionById(tx, id))
    : null
  // The redirect shows which domains use single sign-on, but nothing about users.
  if (!connection?.enabled_at) return '/login/saml?error=sso_unknown'
  return createRequest(ctx, connection, 'sign_in')
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function askedFor(
  query: URLSearchParams,
): { connection: string } | { domain: string } | Record<string, never> {
  const connection = query.get('connection') ?? ''
  if (uuid.test(connection)) return { connection }
  const email = parseEmail((query.get('email') ?? '').slice(0, 300))
  const domain = email ? domainOf(email) : normalizeDomain((query.get('domain') ?? '').trim())
  return domain ? { domain } : {}
}

async function findId(ctx: Context, asked: ReturnType<typeof askedFor>): Promise<string | undefined> {
  if ('connection' in asked) return asked.connection
  if (!('domain' in asked)) return undefined
  const { domain } = asked
  const found = await ctx.asSystem('start single sign-on', tx => store.findConnectionForDomain(tx, domain))
  return found?.id
}

type Asked = { id: string; sso_url: string; sealed_key: string | null }

/** Stores the request, bound to this browser. @returns the URL of the provider */
export async function createRequest(
  ctx: Context,
  connection: Asked,
  purpose: 'sign_in' | 'test',
): Promise<string> {
  const relayState = newToken()
  const created_at = ctx.now()
  const { id, url } = createAuthnRequest({
    idp: { ssoUrl: connection.sso_url },
    service: serviceOf(ctx.config),
    relayState,
    now: created_at,
    ...(connection.sealed_key
      ? { privateKey: ctx.encrypter.decrypt(connection.sealed_key, samlKeyBinding(connection.id)) }
      : {}),
  })
  const browser_hash = ctx.flow.ensure()
  await ctx.asSystem('start single sign-on', async tx => {
    // The connection was just removed.
    if (!(await store.lockConnection(tx, connection.id))) throw new Refusal('sso_not_set_up')
    await store.insertRequest(tx, {
      id,
      relay_hash: hashToken(relayState),
      connection_id: connection.id,
      purpose,
      browser_hash,
      created_at,
      expires_at: new Date(created_at.getTime() + requestMinutes * 60_000),
    })
  })
  return url
}

/** Our metadata, for a connection with signed requests including its key. */
export async function keyCertificateOf(ctx: Context, id: string | null): Promise<string | null> {
  if (id === null) return null
  if (!uuid.test(id)) throw new Refusal('not_found')
  const connection = await ctx.asSystem('read SAML metadata', tx => store.findConnectionById(tx, id))
  if (!connection) throw new Refusal('not_found')
  return connection.key_certificate
}
