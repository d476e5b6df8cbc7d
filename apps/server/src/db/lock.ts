import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'
import { whyNotWritable } from '../data-folder.ts'

export class FolderInUse extends Error {}

/** Keeps them from garbage collection, which would close the file and let a second server in. */
const held = new Set<DatabaseSync>()

/**
 * Takes the data folder for this process alone. Two processes on one embedded database lose committed rows without
 * a word, so the second one must not start. The lock is the operating system's own (held through an SQLite file in
 * exclusive mode): it ends with the process, even after kill -9, and leaves nothing stale to guess about.
 * @returns releases the folder
 */
export function lockFolder(dataDir: string): () => void {
  const why = whyNotWritable(dataDir)
  if (why) throw new ConfigError(`DATA_DIR: ${why}`)
  const note = join(dataDir, 'server.pid')
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
  } catch {
    lock.close()
    throw new FolderInUse(
      `The data folder ${dataDir} is in use by another Plinth server (process ${readNote(note)}). ` +
        'Stop that one, or give this one its own folder with DATA_DIR, or set DATABASE_URL to share a PostgreSQL.',
    )
  }
  writeFileSync(note, String(process.pid))
  held.add(lock)
  return () => {
    held.delete(lock)
    lock.close()
  }
}

function readNote(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'unknown' // The note is a courtesy; the lock does not depend on it.
  }
}
