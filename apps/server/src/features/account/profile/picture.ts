import { limits } from '@plinth/contract/patterns'
import type { AuthedContext, Services, Tx } from '../../../context.ts'
import type { ImageType } from '../../../integrations/images/image-type.ts'
import { storageRefusal } from '../../../integrations/storage/storage.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { newToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './picture-store.ts'

const mimes: Record<ImageType, string> = { png: 'image/png', jpg: 'image/jpeg' }
const address = '/api/avatar/'
/** Longer than any upload takes. */
const graceMs = 3_600_000

/** The address of a picture, as stored in the user's row. */
const addressOf = (key: string) => `${address}${key}`
const keyOf = (where: string) => where.slice(address.length)

/**
 * Re-encodes a picture and stores it under a random key; knowing the key is enough to read it. The file is listed as
 * orphaned until the caller's transaction writes the key to a row (claimPicture).
 */
export async function storePicture(ctx: AuthedContext, file: File): Promise<string> {
  if (file.size > limits.avatar_bytes) throw new Refusal('file_too_large', { field: 'avatar' })
  await ctx.consume('picture:user', ctx.actor.user_id)
  const bytes = Buffer.from(await file.arrayBuffer())
  const { kind, bytes: drawn } = await ctx.integrations.images.processAvatar(bytes, 'avatar')
  const key = `${newToken()}.${kind}`
  const remove_after = new Date(ctx.now().getTime() + graceMs)
  await ctx.asSystem('list a file as orphaned', tx => store.insertOrphanedFile(tx, { key, remove_after }))
  crashPoint('picture:after_listed_as_orphan')
  try {
    await ctx.integrations.storage.put(key, drawn, mimes[kind])
  } catch (error) {
    throw storageRefusal(error)
  }
  crashPoint('picture:after_put')
  return addressOf(key)
}

/** Removes the file from the orphaned ones, in the transaction that writes its key to a row. */
export const claimPicture = (tx: Tx, where: string) => store.removeOrphanedFile(tx, keyOf(where))

/** @returns null for an unknown or a removed picture */
export async function readPicture(services: Services, file: string) {
  const kind = /^[\w-]{43}\.(png|jpg)$/.exec(file)?.[1]
  if (kind !== 'png' && kind !== 'jpg') return null
  try {
    const bytes = await services.integrations.storage.get(file)
    return bytes && { bytes, type: mimes[kind], name: `avatar.${kind}` }
  } catch (error) {
    throw storageRefusal(error)
  }
}

const batch = 100

/**
 * The job after every change or removal of a picture: deletes orphaned files. It deletes the file before its row, so that a
 * failed run is repeated. Partial files after a crash have no row and are found by name.
 */
export async function deleteOrphanedFiles(services: Services) {
  for (;;) {
    const keys = await services.asSystem('find orphaned files', tx =>
      store.findOrphanedFiles(tx, services.now(), batch),
    )
    for (const key of keys) {
      await services.integrations.storage.remove(key)
      await services.asSystem("remove a deleted file's row", tx => store.removeOrphanedFile(tx, key))
    }
    if (keys.length < batch) break
  }
  await services.integrations.storage.removeUnfinished(new Date(services.now().getTime() - graceMs))
}
