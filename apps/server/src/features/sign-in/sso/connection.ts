import type { AuthedContext } from '../../../context.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { makeServiceKey, readMetadata, SamlProblem } from '../../../integrations/saml/saml.ts'
import { hasText } from '../../../lib/i18n.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { recordSsoChange } from './audit-change.ts'
import { lockConnection } from './lock-connection.ts'
import { samlKeyBinding } from './service-provider.ts'
import { ssoSettingsOf } from './setup.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }
type Source = { metadata_url?: string; metadata_xml?: string }

/**
 * Connects the provider of a metadata document. The same provider gets its new keys. Another provider starts without
 * identities, because its NameIDs are other people; only the default role is kept. Sign-ins in progress must start
 * again.
 */
export async function connectProvider(
  ctx: AuthedContext,
  { metadata_url, metadata_xml, ...proof }: Source & Proof,
) {
  await demandProof(ctx, proof)
  const { account_id, user_id, session_id } = ctx.actor
  const idp = await readProvider(ctx, { metadata_url, metadata_xml })
  const created_at = ctx.now()
  const newConnection = newId(created_at.getTime())
  // Before the transaction, because generating a key takes a second.
  const key = idp.wantsSigned ? await makeServiceKey({ name: 'Plinth', now: created_at }) : null
  const provider = {
    idp_entity_id: idp.entityId,
    sso_url: idp.ssoUrl,
    certificates: idp.certificates.map(({ pem }) => pem),
    // The latest expiry: a provider can publish the next certificate early.
    certificate_expires_at: new Date(Math.max(...idp.certificates.map(({ notAfter }) => notAfter.getTime()))),
    metadata_url: metadata_url ?? null,
  }
  return ctx.asSystem('connect an identity provider', async tx => {
    const before = await lockConnection(tx, account_id)
    const same = before?.idp_entity_id === idp.entityId ? before : null
    const id = same?.id ?? newConnection
    const keys =
      same?.sealed_key && key
        ? { sealed_key: resealed(ctx, id, same.sealed_key), key_certificate: same.key_certificate }
        : {
            sealed_key: key && ctx.encrypter.encrypt(key.privateKey, samlKeyBinding(id)),
            key_certificate: key?.certificate ?? null,
          }
    await store.removePendingSignIns(tx, account_id)
    if (same) {
      await store.updateProvider(tx, account_id, { ...provider, ...keys })
    } else {
      await store.removeConnection(tx, account_id)
      await store.removeSessions(tx, account_id, { bySso: true, exceptSession: session_id })
      const default_role = before?.default_role ?? 'user'
      const row = { ...provider, ...keys, id, account_id, default_role, created_by: user_id, created_at }
      await store.insertConnection(tx, row)
    }
    await recordSsoChange(ctx, tx, { change: same ? 'renewed' : 'connected', detail: idp.entityId })
    return ssoSettingsOf(ctx, tx)
  })
}

/** Encrypts with the newest secret, so that an older one can be removed. */
const resealed = ({ encrypter }: AuthedContext, id: string, key: string) =>
  encrypter.encrypt(encrypter.decrypt(key, samlKeyBinding(id)), samlKeyBinding(id))

async function readProvider(ctx: AuthedContext, { metadata_url, metadata_xml }: Source) {
  const field = metadata_xml === undefined ? 'metadata_url' : 'metadata_xml'
  if ((metadata_url === undefined) === (metadata_xml === undefined))
    throw new Refusal('invalid_input', {
      field,
      text: 'form.required',
      values: { label: ctx.t(`fields.${field}`) },
    })
  try {
    const xml =
      metadata_url === undefined ? (metadata_xml ?? '') : await ctx.integrations.samlMetadata(metadata_url)
    return readMetadata(xml, { now: ctx.now(), sandboxOrigin: ctx.config.identitySandboxUrl })
  } catch (problem) {
    if (!(problem instanceof SamlProblem)) throw problem
    ctx.log.info({ code: problem.code, found: problem.found }, 'saml metadata refused')
    const text = `sso.metadata.${problem.code}`
    throw new Refusal('sso_metadata', { field, ...(hasText(text) ? { text } : {}) })
  }
}

/** Deletes the connection, unlinks its identities and ends its sessions. */
export async function disconnectProvider(ctx: AuthedContext, proof: Proof = {}) {
  await demandProof(ctx, proof)
  const { account_id, session_id } = ctx.actor
  return ctx.asSystem('disconnect an identity provider', async tx => {
    const held = await lockConnection(tx, account_id)
    if (!held) throw new Refusal('sso_not_set_up')
    await store.removePendingSignIns(tx, account_id)
    await store.removeConnection(tx, account_id)
    await store.removeSessions(tx, account_id, { bySso: true, exceptSession: session_id })
    await recordSsoChange(ctx, tx, { change: 'disconnected', detail: held.idp_entity_id })
    return ssoSettingsOf(ctx, tx)
  })
}
