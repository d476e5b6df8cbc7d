import { randomBytes } from 'node:crypto'
import type { CreatedCredential, CreationOptions } from '@plinth/contract'
import type { AuthedContext } from '../../../context.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { lockUser } from '../../../identity/user-store.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { refuseLastMethod } from '../last-method.ts'
import * as ceremony from './ceremony.ts'
import { notifyPasskeyChange } from './notify.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'
import { verifyCreated } from './verify.ts'

type Proof = { password?: string; code?: string }
type Row = { id: string; name: string; synced: boolean; created_at: Date; last_used_at: Date | null }

const toWire = ({ id, name, synced, created_at, last_used_at }: Row) => ({
  id,
  name,
  synced,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})

export async function listPasskeys(ctx: AuthedContext) {
  const rows = await ctx.asSystem('list passkeys', tx => store.listPasskeys(tx, ctx.actor.user_id))
  return rows.map(toWire)
}

/** Options for a new passkey. It must be discoverable, because the sign-in names no user. */
export async function startAddPasskey(ctx: AuthedContext, proof: Proof): Promise<CreationOptions> {
  await demandProof(ctx, proof)
  const { user_id, email, first_name, last_name } = ctx.actor
  const { id } = ceremony.relyingParty(ctx)
  return ctx.asSystem('start adding a passkey', async tx => {
    const own = await store.listPasskeys(tx, user_id)
    if (own.length >= rules.maxPasskeys)
      throw new Refusal('passkeys_full', { values: { count: rules.maxPasskeys } })
    const handle = await store.ensureHandle(tx, user_id, randomBytes(32))
    return {
      rp: { id, name: 'Plinth' },
      user: { id: handle.toString('base64url'), name: email, displayName: `${first_name} ${last_name}` },
      challenge: await ceremony.startCeremony(ctx, tx, { purpose: 'register', user_id, session_id: null }),
      pubKeyCredParams: rules.algorithms.map(alg => ({ type: 'public-key', alg })),
      timeout: ceremony.ceremonyMs,
      excludeCredentials: own.map(ceremony.toDescriptor),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    }
  })
}

/** Adds a new passkey to a verified user. */
export async function addPasskey(
  ctx: AuthedContext,
  { credential, name }: { credential: CreatedCredential; name?: string },
) {
  const { user_id } = ctx.actor
  const { clientDataJSON, transports = [] } = credential.response
  const challenge = await ceremony.finishCeremony(ctx, clientDataJSON, {
    purpose: 'register',
    user_id,
    session_id: null,
  })
  const { aaguid, ...made } = await verifyCreated(ctx, credential, challenge)
  const { userAgent } = ctx.request
  const now = ctx.now()
  const added = await ctx.asSystem('add a passkey', async tx => {
    const user = await lockUser(tx, user_id)
    if (!user?.verified_at) throw new Refusal('verification_required')
    if ((await store.listPasskeys(tx, user_id)).length >= rules.maxPasskeys)
      throw new Refusal('passkeys_full', { values: { count: rules.maxPasskeys } })
    const row = await store.insertPasskey(tx, {
      ...made,
      id: newId(now.getTime()),
      user_id,
      transports: transports.join(' '),
      name: name ?? rules.passkeyNameOf({ aaguid, transports, userAgent }) ?? ctx.t('passkeys.name'),
      created_at: now,
      last_used_at: null,
    })
    if (!row) throw new Refusal('passkey_taken')
    await notifyPasskeyChange(ctx, tx, user, 'added', row)
    return row
  })
  return toWire(added)
}

export async function renamePasskey(ctx: AuthedContext, id: string, { name }: { name: string }) {
  const renamed = await ctx.asSystem('rename a passkey', tx =>
    store.renamePasskey(tx, ctx.actor.user_id, id, name),
  )
  if (!renamed) throw new Refusal('not_found')
  return toWire(renamed)
}

/** Removes a passkey, unless it is the last sign-in method, and ends the other sessions. */
export async function removePasskey(ctx: AuthedContext, id: string, proof: Proof = {}) {
  await demandProof(ctx, proof)
  const { user_id, session_id } = ctx.actor
  await ctx.asSystem('remove a passkey', async tx => {
    const user = await lockUser(tx, user_id)
    if (!user) throw new Refusal('session_required')
    // A parallel sign-in with this passkey has finished, so its session ends here, or it finds no passkey.
    const removed = await store.removePasskey(tx, user_id, id)
    if (!removed) throw new Refusal('not_found')
    await removeSessions(tx, { user_id: user_id }, session_id)
    await refuseLastMethod(tx, user)
    await notifyPasskeyChange(ctx, tx, user, 'removed', { id, name: removed.name })
  })
  return {}
}
