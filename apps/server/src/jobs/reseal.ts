import { CompiledQuery } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Services, Tx } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Encrypter } from '../lib/crypto.ts'

/** A column whose values are sealed under APP_SECRET. Table and expressions are ours, never input. */
export type SealedColumn = {
  table: string
  /** The sealed text of a row, as an SQL expression; null where there is none. */
  read: string
  /** Assignment that stores `$1`. */
  write: string
  /** SQL expressions that `boundTo` needs, by name. */
  key: Record<string, string>
  boundTo: (key: Record<string, string>) => string
  /** Rows that count; all of them by default. */
  where?: string
  /** Stays for more than a day, so a start without its secret is refused. */
  lasting: boolean
}

type Row = Record<string, string> & { row_place: string; row_table: string; sealed: string }

/** Rows of one transaction. */
const batch = 200

/**
 * Seals everything again that lies under an earlier secret, so that the earlier one can be removed. Several processes
 * may run it at once: each takes rows that no other holds.
 */
export async function reseal(services: Services, columns: readonly SealedColumn[]) {
  const [, ...earlier] = services.encrypter.keyIds
  if (earlier.length === 0) return
  let resealed = 0
  for (const column of columns) {
    let found: number
    do {
      found = await services.asSystem('seal again', tx =>
        resealBatch(tx, services.encrypter, column, earlier),
      )
      resealed += found
    } while (found === batch)
  }
  services.log.info({ resealed }, 'sealed values use the newest APP_SECRET')
}

async function resealBatch(
  tx: Tx,
  encrypter: Encrypter,
  { table, read, write, key, boundTo, where = 'true' }: SealedColumn,
  earlier: string[],
): Promise<number> {
  const keys = Object.entries(key).map(([name, expression]) => `, ${expression}::text as ${name}`)
  const { rows } = await tx.executeQuery<Row>(
    CompiledQuery.raw(
      `select ctid::text as row_place, tableoid::text as row_table, ${read} as sealed${keys.join('')}
        from ${table} where ${where} and split_part(${read}, '.', 1) = any($1) limit ${batch} for update skip locked`,
      [earlier],
    ),
  )
  for (const row of rows) {
    const bound = boundTo(row)
    await tx.executeQuery(
      CompiledQuery.raw(
        `update ${table} set ${write} where ctid = $2::tid and tableoid = $3::oid and ${read} = $4`,
        [
          encrypter.encrypt(encrypter.decrypt(row.sealed, bound), bound),
          row.row_place,
          row.row_table,
          row.sealed,
        ],
      ),
    )
  }
  return rows.length
}

/**
 * Refuses to start when no secret decrypts the stored values: users with a second factor could not sign in.
 * @throws ConfigError that names the variable to set
 */
export async function requireSecrets(
  db: Pick<Db, 'asOwnerOfJobs'>,
  { keyIds }: Encrypter,
  columns: readonly SealedColumn[],
) {
  const locked: string[] = []
  for (const { table, read, where = 'true' } of columns.filter(({ lasting }) => lasting)) {
    // The job queue makes its tables at the first start, after this.
    const { rows } = await db.asOwnerOfJobs('select to_regclass($1) is not null as exists', [table])
    if (!(rows[0] as { exists: boolean }).exists) continue // as: the column asked for
    const counted = await db.asOwnerOfJobs(
      `select count(*)::int as count from ${table} where ${where} and split_part(${read}, '.', 1) <> all($1)`,
      [keyIds],
    )
    const { count } = counted.rows[0] as { count: number } // as: the column asked for
    if (count > 0) locked.push(`${count} in ${table}`)
  }
  if (locked.length > 0)
    throw new ConfigError(
      `APP_SECRET_PREVIOUS: expected the APP_SECRET of before, because values are still sealed under it (${locked.join(', ')}). Start with both until the log says "sealed values use the newest APP_SECRET". If the old secret is lost, see "Secrets" in docs/operations.md`,
    )
}
