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

/** The address of a key, as it stands in the user's row and goes out to browsers. */
const addressOf = (key: string) => `${address}${key}`
const keyOf = (where: string) => where.slice(address.length)

/**
 * Draws a picture anew and stores it under a key that nobody can guess: whoever may see the person is told the address,
 * and the address is all it takes. Until the caller's transaction puts it into a row, the file is one to be removed.
 */
export async function storePicture(ctx: AuthedContext, file: File): Promise<string> {
  if (file.size > limits.avatar_bytes) throw new Refusal('file_too_large', { field: 'avatar' })
  await ctx.consume('picture:user', ctx.actor.user_id)
  const bytes = Buffer.from(await file.arrayBuffer())
  const { kind, bytes: drawn } = await ctx.outside.pictures.processAvatar(bytes, 'avatar')
  const key = `${newToken()}.${kind}`
  const remove_after = new Date(ctx.now().getTime() + graceMs)
  await ctx.asSystem('note a file', tx => store.noteLoose(tx, { key, remove_after }))
  crashPoint('picture:after_note')
  try {
    await ctx.outside.storage.put(key, drawn, mimes[kind])
  } catch (error) {
    throw storageRefusal(error)
  }
  crashPoint('picture:after_put')
  return addressOf(key)
}

/** The file has an owner: in the transaction that says so. */
export const keepPicture = (tx: Tx, where: string) => store.dropLoose(tx, keyOf(where))

/** @returns null for what is no picture's key, or no longer one's */
export async function readPicture(services: Services, file: string) {
  const kind = /^[\w-]{43}\.(png|jpg)$/.exec(file)?.[1]
  if (kind !== 'png' && kind !== 'jpg') return null
  try {
    const bytes = await services.outside.storage.get(file)
    return bytes && { bytes, type: mimes[kind], name: `avatar.${kind}` }
  } catch (error) {
    throw storageRefusal(error)
  }
}

const batch = 100

/**
 * The job behind every change and every end of a picture: removes the files that are nobody's. First the file, then the
 * note of it: what fails half way is done again. What a crash has left half written has no note, and a name of its own.
 */
export async function clearFiles(services: Services) {
  for (;;) {
    const keys = await services.asSystem('files of nobody', tx => store.findLoose(tx, services.now(), batch))
    for (const key of keys) {
      await services.outside.storage.remove(key)
      await services.asSystem('a file is gone', tx => store.dropLoose(tx, key))
    }
    if (keys.length < batch) break
  }
  await services.outside.storage.removeUnfinished(new Date(services.now().getTime() - graceMs))
}
