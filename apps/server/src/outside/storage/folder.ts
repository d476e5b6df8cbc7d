import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from './shape.ts'

/** Files on this machine's own disk, for the account that the server runs as and nobody else. */
export function openFolder(folder: string): Storage {
  const at = (key: string) => join(folder, key)
  return {
    async put(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Under another name until it is on the disk: a crash leaves no half file behind a key (F-09).
      const half = at(`.${randomUUID()}`)
      try {
        const file = await open(half, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(half, at(key))
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
    },
    async get(key) {
      try {
        return await readFile(at(key))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    remove: key => rm(at(key), { force: true }),
  }
}
