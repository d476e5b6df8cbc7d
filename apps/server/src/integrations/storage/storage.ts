import { Refusal } from '../../lib/refusal.ts'
import { openFolder } from './folder.ts'
import { openS3, type S3Options } from './s3.ts'
import type { Storage } from './types.ts'

export type { Storage } from './types.ts'

type Options = {
  /** Local folder for the files; ignored with `s3`. */
  folder: string
  s3: S3Options | null
  /** Called first; throws inside an open transaction, where no network call is allowed. */
  guard: () => void
}

export function openStorage({ folder, s3, guard }: Options): Storage {
  const storage = s3 ? openS3(s3) : openFolder(folder)
  const withCheckedKey = async <T>(key: string, run: () => Promise<T>): Promise<T> => {
    guard()
    if (!/^[\w-]{1,100}\.[a-z]{1,5}$/.test(key)) throw new Error('Invalid storage key')
    return run()
  }
  return {
    put: (key, bytes, type) => withCheckedKey(key, () => storage.put(key, bytes, type)),
    get: key => withCheckedKey(key, () => storage.get(key)),
    remove: key => withCheckedKey(key, () => storage.remove(key)),
    async removeUnfinished(before) {
      guard()
      await storage.removeUnfinished(before)
    },
  }
}

/** Maps a failure of the storage to a refusal. */
export const storageRefusal = (error: unknown) =>
  errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT'
    ? new Refusal('storage_full', {}, error)
    : new Refusal('busy', { retryAfter: 10 }, error)

const errorCode = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
