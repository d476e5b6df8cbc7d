import type { makeTestApp } from '../harness.ts'

type Column = { table_name: string; column_name: string; data_type: string }

/** Tables that are unrelated to calls or change with each call. */
const uncounted = ['migrations', 'sql_functions', 'rate_limits', 'login_throttle']

/** Digests of table contents, to detect changes. */
export function tableSnapshots({ db }: Pick<Awaited<ReturnType<typeof makeTestApp>>, 'db'>) {
  const read = async <T>(text: string, values: unknown[] = []) =>
    (await db.asOwnerOfJobs(text, values)).rows as T[] // as: each caller names the columns that it asks for

  let found: Promise<Column[]> | undefined
  const columns = () => {
    // Once: to ask takes longer than to read all the rows of a test.
    found ??= read<Column>(
      `select table_name, column_name, data_type from information_schema.columns
       where table_schema = 'public' order by table_name, ordinal_position`,
    )
    return found
  }

  /** A digest of the rows of each table, where `condition` tells which rows of a table count; null: none does. */
  async function digests(
    condition: (table: string, of: Column[]) => string | null,
    values: unknown[] = [],
  ): Promise<Record<string, string>> {
    const byTable = Map.groupBy(await columns(), ({ table_name }) => table_name)
    for (const table of uncounted) byTable.delete(table)
    const asked = [...byTable].flatMap(([table, of]) => {
      const where = condition(table, of)
      const digest = `md5(coalesce(string_agg(t::text, ' ' order by t::text), ''))`
      return where === null
        ? []
        : [`select '${table}' as name, count(*) || ' ' || ${digest} as rows from ${table} t where ${where}`]
    })
    const rows = await read<{ name: string; rows: string }>(asked.join(' union all '), values)
    return Object.fromEntries(rows.map(({ name, rows: digest }) => [name, digest]))
  }

  return {
    read,
    columns,
    /** The whole database. */
    whole: () => digests(() => 'true'),
    /** All rows that point at one of these ids, as a digest of each table. */
    around: (ids: string[]) => digests((_, of) => pointing(of), [ids]),
    /** The same rows, each whole. */
    async rowsAround(ids: string[]): Promise<Map<string, Record<string, unknown>[]>> {
      const rows = new Map<string, Record<string, unknown>[]>()
      for (const [table, of] of Map.groupBy(await columns(), ({ table_name }) => table_name)) {
        const where = uncounted.includes(table) ? null : pointing(of)
        if (where) rows.set(table, await read(`select * from ${table} where ${where}`, [ids]))
      }
      return rows
    },
  }
}

const pointing = (of: Column[]) =>
  of
    .filter(({ data_type }) => data_type === 'uuid')
    .map(({ column_name }) => `${column_name} = any ($1::uuid[])`)
    .join(' or ') || null
