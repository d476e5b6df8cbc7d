import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../../lib/crash-points.ts'
import type { Storage } from './types.ts'

/** Stores files on the local disk, readable only by the server's operating system user. */
export function openFolder(folder: string): Storage {
  const at = (key: string) => join(folder, key)
  return {
    async put(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Writes under a temporary name and renames, so that a crash leaves no partial file under the key.
      const unfinished = at(`.${randomUUID()}`)
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          crashPoint('picture:half_written')
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, at(key))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    get: key => unlessMissing(readFile(at(key))),
    remove: key => rm(at(key), { force: true }),
    async removeUnfinished(before) {
      for (const name of await namesIn(folder)) {
        if (!unfinishedName.test(name)) continue
        // The file may have been renamed since.
        const found = await unlessMissing(stat(at(name)))
        if (found && found.mtime < before) await rm(at(name), { force: true })
      }
    },
  }
}

/** Name of a file that is still being written. */
const unfinishedName = /^\.[0-9a-f-]{36}$/

const namesIn = async (folder: string) => (await unlessMissing(readdir(folder))) ?? []

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
