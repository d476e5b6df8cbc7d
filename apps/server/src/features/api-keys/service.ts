import type { ApiKey, Paging } from '@plinth/contract'
import { pageSize } from '@plinth/contract/paging'
import { grants } from '@plinth/contract/roles'
import { type Scope, scopes } from '@plinth/contract/scopes'
import type { AuthedContext, Tx } from '../../context.ts'
import { findRole, lockAccount } from '../../identity/account-store.ts'
import { demandProof } from '../../identity/step-up.ts'
import { maskApiKey, newApiKey } from '../../lib/api-key.ts'
import { hashToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { countedTo, readPage } from '../../lib/paging.ts'
import { Refusal } from '../../lib/refusal.ts'
import { folded, patternsOf } from '../../lib/search.ts'
import { notifyMakers, recordKeyEvent } from './notify.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }
type Named = { name: string; scope: Scope[] }

/** An API key as clients see it. No store function that feeds this reads the hash or the encrypted key. */
function toReply(row: store.KeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    key: row.masked,
    scope: rules.textToScopes(row.scope),
    active: rules.isActive(row, now),
    revealable: row.is_sealed && rules.isActive(row, now),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    date_created: row.created_at.toISOString(),
    created_by: row.made_by,
  }
}

const isTime = (value: string) =>
  /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** Text that the search reads and that a list by name is sorted by. */
const searchText = (name: string, masked: string) => folded(`${name} ${masked}`)

/** Additional data of the encryption: a key decrypts only in its own row and account. */
export const apiKeyBinding = (accountId: string, id: string) => `api_keys ${accountId} ${id}`

export async function listApiKeys(
  ctx: AuthedContext,
  { search = '', sort, cursor, limit = pageSize }: Paging,
) {
  const { account_id } = ctx.actor
  const patterns = patternsOf(search)
  const by = sort?.endsWith('name') ? 'name' : 'date_created'
  const descending = sort ? sort.startsWith('-') : true
  const { rows, page } = await ctx.within(tx =>
    readPage<store.KeyRow>(
      { cursor, limit },
      {
        isValue: value => by === 'name' || isTime(value),
        read: part => store.listKeys(tx, account_id, { patterns, by, descending, ...part }),
        count: () => store.countMatchingKeys(tx, account_id, patterns, countedTo + 1),
        keyOf: row => ({
          value: by === 'name' ? row.search_text : row.created_at.toISOString(),
          id: row.id,
        }),
      },
    ),
  )
  ctx.page(page)
  const now = ctx.now()
  return rows.map(row => toReply(row, now))
}

export async function readApiKey(ctx: AuthedContext, id: string) {
  const row = await ctx.within(tx => store.findKey(tx, ctx.actor.account_id, id))
  // A key of another account gets the same answer.
  if (!row) throw new Refusal('not_found')
  return [toReply(row, ctx.now())]
}

export const listScopes = (ctx: AuthedContext) =>
  scopes.map(value => ({ value, label: ctx.t(`scopes.${value}`) }))

/** How many active keys the account has and may have. */
export async function readApiKeyAllowance(ctx: AuthedContext) {
  const { account_id, plan } = ctx.actor
  const used = await ctx.within(tx => store.countActiveKeys(tx, account_id, ctx.now()))
  return { used, limit: rules.keyLimitOf(plan), plan: rules.whyNoRoom(plan, used)?.plan ?? null }
}

export async function createApiKey(
  ctx: AuthedContext,
  { name, scope, expires_at, ...proof }: Named & Proof & { expires_at?: string | null },
) {
  await demandProof(ctx, proof)
  const { account_id, user_id } = ctx.actor
  const now = ctx.now()
  const expires = expires_at ? new Date(expires_at) : null
  if (expires && !rules.mayExpireAt(expires, now))
    throw new Refusal('invalid_input', { field: 'expires_at', text: 'form.key.expires' })
  const full_key = newApiKey(ctx.config.livePayments ? 'live' : 'test')
  const id = newId(now.getTime())
  const masked = maskApiKey(full_key)
  return ctx.within(async tx => {
    await reserveRoom(ctx, tx)
    await store.insertKey(tx, {
      id,
      account_id,
      created_by: user_id,
      name,
      masked,
      scope: rules.scopesToText(scope),
      key_hash: hashToken(full_key),
      sealed_key: ctx.config.revealApiKeys
        ? ctx.encrypter.encrypt(full_key, apiKeyBinding(account_id, id))
        : null,
      search_text: searchText(name, masked),
      created_at: now,
      expires_at: expires,
    })
    const created = { id, name, created_by: user_id }
    await recordKeyEvent(ctx, tx, 'created', [created], { scope })
    await notifyMakers(ctx, tx, 'created', [created])
    const answer = {
      ...toReply(invariant(await store.findKey(tx, account_id, id), 'the new key'), now),
      full_key,
    }
    // A repeated call gets the same answer without the secret, which is sent only once.
    await ctx.saveIdempotentReply(tx, { ...answer, full_key: null })
    return answer
  })
}

/** Refuses when the plan has no room for one more key. Holds the account's lock until the key is inserted. */
async function reserveRoom(ctx: AuthedContext, tx: Tx) {
  const account = await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id)
  // The account may have been closed, or the user removed or demoted, since the session was read.
  const role = account && (await findRole(tx, account.id, ctx.actor.user_id))
  if (!account || !role) throw new Refusal('session_required')
  if (!grants(ctx.actor.permission === 'master' ? 'master' : role, 'developer'))
    throw new Refusal('permission_required')
  const full = rules.whyNoRoom(account.plan, await store.countActiveKeys(tx, account.id, ctx.now()))
  if (!full) return
  const values = { count: full.count }
  // No plan has more room.
  if (!full.plan) throw new Refusal('keys_full', { values })
  throw new Refusal('limit_reached', { text: 'api_keys.limit_reached', values, plan: full.plan })
}

/** Shows the whole key again, after the audit log has recorded it. */
export async function revealApiKey(ctx: AuthedContext, id: string, proof: Proof = {}) {
  const { account_id } = ctx.actor
  const before = await ctx.within(tx => store.findSealedKey(tx, account_id, id))
  if (!before) throw new Refusal('not_found')
  await demandProof(ctx, proof)
  return ctx.within(async tx => {
    const key = await store.findSealedKey(tx, account_id, id)
    if (!key) throw new Refusal('not_found')
    if (!key.sealed_key || !rules.isActive(key, ctx.now())) throw new Refusal('key_hidden')
    const whole = decryptKey(ctx, key.sealed_key, apiKeyBinding(account_id, id))
    await recordKeyEvent(ctx, tx, 'revealed', [key])
    await notifyMakers(ctx, tx, 'revealed', [key])
    return [{ id, key: whole }]
  })
}

/** A key encrypted under a removed secret, or copied from another row, still works and can't be shown. */
function decryptKey(ctx: AuthedContext, sealed: string, bound: string): string {
  try {
    return ctx.encrypter.decrypt(sealed, bound)
  } catch (error) {
    throw new Refusal('key_hidden', {}, error)
  }
}

/** Changes name or scopes, or revokes. A revoked key can't be changed. */
export async function updateApiKey(
  ctx: AuthedContext,
  id: string,
  { name, scope, active, ...proof }: Partial<Named> & Proof & { active?: false },
) {
  const { account_id } = ctx.actor
  const [before] = await readApiKey(ctx, id)
  const mayAddScopes = scope && before && rules.addsScopes(before.scope, scope)
  if (mayAddScopes) await demandProof(ctx, proof)
  const now = ctx.now()
  return ctx.within(async tx => {
    // Locks are taken in one order: the account, then the key.
    await lockAccount(tx, account_id, ctx.actor.user_id)
    const key = await store.lockKey(tx, account_id, id)
    if (!key) throw new Refusal('not_found')
    if (key.revoked_at && (name !== undefined || scope)) throw new Refusal('key_revoked')
    if (scope) await changeScope(ctx, tx, key, scope, mayAddScopes ?? false)
    if (name !== undefined && name !== key.name) {
      await store.updateKey(tx, account_id, id, { name, search_text: searchText(name, key.masked) })
      await recordKeyEvent(ctx, tx, 'renamed', [{ ...key, name }], { before: key.name })
    }
    if (active === false && !key.revoked_at) {
      await store.updateKey(tx, account_id, id, { revoked_at: now, sealed_key: null })
      await recordKeyEvent(ctx, tx, 'revoked', [key])
      await notifyMakers(ctx, tx, 'revoked', [key])
    }
    return toReply(invariant(await store.findKey(tx, account_id, id), 'the key just changed'), now)
  })
}

type Locked = NonNullable<Awaited<ReturnType<typeof store.lockKey>>>

async function changeScope(ctx: AuthedContext, tx: Tx, key: Locked, scope: Scope[], mayAddScopes: boolean) {
  const before = rules.textToScopes(key.scope)
  if (rules.scopesToText(scope) === key.scope) return
  // A scope was removed since the key was read, so this change adds one: that needs a proof.
  if (!mayAddScopes && rules.addsScopes(before, scope))
    throw new Refusal('operation_in_flight', { retryAfter: 1 })
  await store.updateKey(tx, ctx.actor.account_id, key.id, { scope: rules.scopesToText(scope) })
  await recordKeyEvent(ctx, tx, 'changed', [key], { before, scope })
  if (rules.addsScopes(before, scope)) await notifyMakers(ctx, tx, 'changed', [key])
}

/** Removes all of the keys or none: an unknown id, or one of another account, refuses the call. */
export async function removeApiKeys(ctx: AuthedContext, { id }: { id: string[] }) {
  const ids = [...new Set(id)]
  await ctx.within(async tx => {
    await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id)
    const removed = await store.removeKeys(tx, ctx.actor.account_id, ids)
    if (removed.length !== ids.length) throw new Refusal('not_found')
    await recordKeyEvent(ctx, tx, 'deleted', removed)
    await notifyMakers(ctx, tx, 'deleted', removed)
  })
  return {}
}
