import type { Context } from '../../../../context.ts'
import { type ProvenIdentity, SamlProblem, verifyResponse } from '../../../../integrations/saml/saml.ts'
import { hashToken, newToken } from '../../../../lib/crypto.ts'
import { newId } from '../../../../lib/ids.ts'
import { domainOf } from '../rules.ts'
import { serviceOf } from '../service-provider.ts'
import * as store from './store.ts'
import { offerConnection } from './unsolicited.ts'

/** How long the page may take to exchange the token. */
const signInTokenSeconds = 120

/** The callback page without a token shows a general error; the reason is only in the log. */
const failed = '/login/saml/callback?saml_callback=1'

/** The encrypted content of a sign-in token. */
export type Person = {
  name_id: string
  email: string | null
  first_name: string | null
  last_name: string | null
  session_until: string | null
}

type Answer = { SAMLResponse: string; RelayState: string }
type Request = NonNullable<Awaited<ReturnType<typeof store.findRequest>>>
type Connection = NonNullable<Awaited<ReturnType<typeof store.findConnectionById>>>

/**
 * Verifies the provider's response. It is posted from another site, without our cookie, so the verified person waits
 * for the browser that started the sign-in.
 *
 * The request is looked up by RelayState and used together with the assertion, after all other checks: a forged
 * response must not use it.
 * @returns the URL of the redirect
 */
export async function handleResponse(ctx: Context, { SAMLResponse, RelayState }: Answer): Promise<string> {
  const under = await ctx.asSystem('handle a SAML response', async tx => {
    const request = await store.findRequest(tx, hashToken(RelayState), ctx.now())
    const connection = request && (await store.findConnectionById(tx, request.connection_id))
    return request && connection ? { request, connection } : null
  })
  if (!under) {
    refuse(ctx, null, new SamlProblem('in_response_to', 'no such request'))
    return (await offerConnection(ctx, SAMLResponse)) ?? failed
  }
  const { request, connection } = under
  try {
    if (request.purpose === 'sign_in' && !connection.enabled_at)
      throw new SamlProblem('in_response_to', 'disabled')
    const identity = await verify(ctx, SAMLResponse, under)
    if (request.purpose === 'test') return await saveTestResult(ctx, connection, { identity })
    return await createSignInToken(ctx, under, identity)
  } catch (problem) {
    if (!(problem instanceof SamlProblem)) throw problem
    refuse(ctx, connection.id, problem)
    if (request.purpose === 'test') return saveTestResult(ctx, connection, { problem })
    // The provider refused: the user may know that and can start again.
    return problem.code === 'status' ? `${failed}&error=denied&connection=${connection.id}` : failed
  }
}

function verify(
  ctx: Context,
  samlResponse: string,
  { request, connection }: { request: Request; connection: Connection },
): Promise<ProvenIdentity> {
  const now = ctx.now()
  return verifyResponse({
    samlResponse,
    idp: { entityId: connection.idp_entity_id, certificates: connection.certificates },
    service: serviceOf(ctx.config),
    requestId: request.id,
    now,
    consume: once =>
      ctx.asSystem('consume a SAML request', tx =>
        store.consumeSamlRequest(tx, { ...once, connectionId: connection.id, now }),
      ),
  })
}

function refuse(ctx: Context, connection: string | null, { code, found }: SamlProblem): string {
  ctx.log.warn({ connection, code, found }, 'saml answer refused')
  return failed
}

const personOf = ({ nameId, attributes, sessionNotOnOrAfter }: ProvenIdentity): Person => ({
  name_id: nameId,
  ...attributes,
  session_until: sessionNotOnOrAfter?.toISOString() ?? null,
})

export const samlSignInTokenBinding = (id: string) => `saml sign-in token ${id}`

async function createSignInToken(
  ctx: Context,
  { request, connection }: { request: Request; connection: Connection },
  identity: ProvenIdentity,
): Promise<string> {
  const token = newToken()
  const created_at = ctx.now()
  const id = newId(created_at.getTime())
  await ctx.asSystem('store a SAML sign-in token', async tx => {
    if (!isSame(connection, await store.lockConnection(tx, request.connection_id)))
      throw new SamlProblem('in_response_to', 'changed meanwhile')
    await store.insertSignInToken(tx, {
      id,
      token_hash: hashToken(token),
      connection_id: request.connection_id,
      browser_hash: request.browser_hash,
      sealed_person: ctx.encrypter.encrypt(JSON.stringify(personOf(identity)), samlSignInTokenBinding(id)),
      created_at,
      expires_at: new Date(created_at.getTime() + signInTokenSeconds * 1000),
    })
  })
  return `${failed}&token=${token}`
}

/** Whether the connection is still as it was at the verification: enabled, with the same keys. */
const isSame = (before: Connection, now: Connection | null): boolean =>
  now?.enabled_at?.getTime() === before.enabled_at?.getTime() &&
  now?.idp_entity_id === before.idp_entity_id &&
  now.certificates.join() === before.certificates.join()

/** A test creates no session: its result is shown on the settings screen. */
async function saveTestResult(
  ctx: Context,
  { id, account_id }: Connection,
  outcome: { identity: ProvenIdentity } | { problem: SamlProblem },
): Promise<string> {
  const now = ctx.now()
  const person = 'identity' in outcome ? personOf(outcome.identity) : null
  await ctx.asSystem('save the result of a test sign-in', async tx => {
    const { email = null, name_id = null, first_name = null, last_name = null } = person ?? {}
    const proven = email !== null && (await store.isDomainVerified(tx, account_id, domainOf(email)))
    const policy = email === null ? 'email_missing' : proven ? null : 'domain_unproven'
    const code = 'problem' in outcome ? outcome.problem.code : policy
    const found = 'problem' in outcome ? outcome.problem.found : null
    const result = { at: now.toISOString(), code, found, name_id, email, first_name, last_name }
    await store.saveTestResult(tx, id, result, code === null ? now : null)
  })
  return '/account/sso?tested=1'
}
