import type { Tx } from '../../../context.ts'

export async function insertOrphanedFile(tx: Tx, file: { key: string; remove_after: Date }) {
  await tx.insertInto('orphaned_files').values(file).execute()
}

export async function removeOrphanedFile(tx: Tx, key: string) {
  await tx.deleteFrom('orphaned_files').where('key', '=', key).execute()
}

export async function findOrphanedFiles(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('orphaned_files')
    .select('key')
    .where('remove_after', '<=', now)
    .orderBy('remove_after')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}
