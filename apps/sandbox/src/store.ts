import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Kind, Kinds, Stored } from './objects/stored-objects.ts'

type Gone = { object: string; id: string; gone: true }
type Change = Stored | Gone

function openFile(file: string) {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
  db.exec(
    'CREATE TABLE IF NOT EXISTS rows (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL)',
  )
  db.exec('CREATE UNIQUE INDEX IF NOT EXISTS rows_id ON rows (kind, id)')
  const upsert = db.prepare(
    'INSERT INTO rows (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  )
  const erase = db.prepare('DELETE FROM rows WHERE kind = ? AND id = ?')
  return {
    rows: () => db.prepare('SELECT kind, id, json FROM rows ORDER BY seq').all(),
    write(changes: Iterable<Change>) {
      db.exec('BEGIN')
      for (const change of changes)
        if ('gone' in change) erase.run(change.object, change.id)
        else upsert.run(change.object, change.id, JSON.stringify(change))
      db.exec('COMMIT')
    },
    close: () => db.close(),
  }
}

/**
 * Keeps all data in memory and, on flush, as JSON rows in an SQLite file. A request's changes are written together,
 * before its reply is sent.
 * @param file null keeps the data in memory only
 */
export function openStore(file: string | null) {
  const disk = file === null ? null : openFile(file)
  const kinds = new Map<string, Map<string, Stored>>()
  const dirty = new Map<string, Change>()

  const table = (kind: string) => {
    const found = kinds.get(kind) ?? new Map<string, Stored>()
    kinds.set(kind, found)
    return found
  }

  for (const row of disk?.rows() ?? [])
    table(String(row.kind)).set(String(row.id), JSON.parse(String(row.json)))

  return {
    get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
      return table(kind).get(id) as Kinds[K] | undefined // as: a table holds one kind only
    },

    /** Oldest first. */
    all<K extends Kind>(kind: K): Kinds[K][] {
      return [...table(kind).values()] as Kinds[K][] // as: a table holds one kind only
    },

    count: (kind: Kind): number => table(kind).size,

    save<T extends Stored>(object: T): T {
      table(object.object).set(object.id, object)
      dirty.set(`${object.object} ${object.id}`, object)
      return object
    },

    remove(kind: Kind, id: string) {
      if (table(kind).delete(id)) dirty.set(`${kind} ${id}`, { object: kind, id, gone: true })
    },

    /** Looks up an id in every kind. */
    find(id: string): Stored | undefined {
      for (const rows of kinds.values()) {
        const found = rows.get(id)
        if (found) return found
      }
      return undefined
    },

    flush() {
      if (dirty.size > 0) disk?.write(dirty.values())
      dirty.clear()
    },

    clear(keep: readonly Kind[] = []) {
      for (const [kind, rows] of kinds)
        if (!keep.some(kept => kept === kind))
          for (const id of [...rows.keys()]) {
            rows.delete(id)
            dirty.set(`${kind} ${id}`, { object: kind, id, gone: true })
          }
    },

    close() {
      disk?.close()
    },
  }
}

export type Store = ReturnType<typeof openStore>
