import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../../config.ts'
import { whyNotWritable } from '../../data-folder.ts'

export class FolderInUse extends Error {}

/** Referenced here, or garbage collection would close the file and release the lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks the data folder for this process: two processes on one embedded database lose committed rows. The lock is the
 * operating system's, through an SQLite file in exclusive mode. It ends with the process, even after kill -9.
 * @returns releases the folder
 */
export function lockFolder(dataDir: string): () => void {
  const why = whyNotWritable(dataDir)
  if (why) throw new ConfigError(`DATA_DIR: ${why}`)
  const pidFile = join(dataDir, 'server.pid')
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
  } catch {
    lock.close()
    throw new FolderInUse(
      `The data folder ${dataDir} is in use by another Plinth server (process ${readPid(pidFile)}). ` +
        'Stop that one, or give this one its own folder with DATA_DIR, or set DATABASE_URL to share a PostgreSQL.',
    )
  }
  writeFileSync(pidFile, String(process.pid))
  held.add(lock)
  return () => {
    held.delete(lock)
    lock.close()
  }
}

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'unknown' // For the message only; the lock does not depend on the file.
  }
}
