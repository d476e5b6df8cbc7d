import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { DB } from '../../src/db/schema.generated.ts'
import { forReadOnlyList, type Tx } from '../../src/db/transaction.ts'
import * as keys from '../../src/features/api-keys/store.ts'
import * as audit from '../../src/features/audit/store.ts'
import * as team from '../../src/features/team/list-store.ts'
import * as seats from '../../src/features/team/store.ts'
import * as usage from '../../src/features/usage/store.ts'
import { hashToken } from '../../src/lib/crypto.ts'
import { newId } from '../../src/lib/ids.ts'
import { datasetSize, insertLargeDataset, nthId } from '../factories/large-dataset.ts'
import { makeTestApp } from '../harness.ts'

/**
 * Every query of a list or a look-up, on 100,000 accounts: none reads a whole table. A
 * feature adds its store's functions to `queries`, and its tables' rows to factories/large-dataset.ts.
 */
const { db, databaseUrl } = await makeTestApp()
await insertLargeDataset(databaseUrl, db.roles)

const asked: CompiledQuery[] = []
const own = new Kysely<DB>({
  dialect: new PostgresDialect({ pool: db.pool }),
  log({ query }) {
    asked.push(query)
  },
})
// Its pool is the application's, which closes it.
afterAll(() => asked.splice(0))

const [big, small] = [nthId('account', 1), nthId('account', 4711)]
const [now, later] = [new Date(), new Date(Date.now() + 30 * 86_400_000)]
const place = { value: 'key 000000004711', id: nthId('key', 4711), start: 51, back: false }
const page = { patterns: [], by: 'name' as const, descending: false, place: undefined, limit: 50 }

const log = { account_id: big, words: [], people: null, what: undefined, since: undefined, until: undefined }
const newest = { descending: true, place: undefined, limit: 50 }
const middle = { ...place, value: new Date(now.getTime() - 90_000 * 60_000).toISOString() }

/** A page of the team, asked as its service does: in a listing. */
const people =
  (account_id: string, wanted: Partial<team.TeamFilter>, from?: typeof place): Query[2] =>
  async tx => {
    await sql.raw(forReadOnlyList).execute(tx)
    const all = {
      account_id,
      sort: 'name',
      descending: false,
      words: [],
      status: undefined,
    } satisfies team.TeamFilter
    await team.findTeamRows(tx, { ...all, ...wanted }, { place: from, limit: 50 })
  }

type Query = [name: string, account: string | 'system', run: (tx: Tx) => Promise<unknown>, rows?: number]

const queries: Query[] = [
  ['keys, the newest', big, tx => keys.listKeys(tx, big, { ...page, by: 'date_created', descending: true })],
  ['keys, the oldest', big, tx => keys.listKeys(tx, big, { ...page, by: 'date_created' })],
  ['keys by name', big, tx => keys.listKeys(tx, big, page)],
  ['keys by name, the last', big, tx => keys.listKeys(tx, big, { ...page, descending: true })],
  ['keys by name, from a place on', big, tx => keys.listKeys(tx, big, { ...page, place })],
  [
    'keys by name, up to a place',
    big,
    tx => keys.listKeys(tx, big, { ...page, place: { ...place, back: true } }),
  ],
  [
    'keys before a time',
    big,
    tx =>
      keys.listKeys(tx, big, {
        ...page,
        by: 'date_created',
        descending: true,
        place: { ...place, value: now.toISOString() },
      }),
  ],
  ['keys of a small account', small, tx => keys.listKeys(tx, small, page)],
  ['the team, by name', big, people(big, {}), 1300],
  ['the team, by name from its end', big, people(big, { descending: true }), 1300],
  ['the team, by who came last', big, people(big, { sort: 'last_login', descending: true }), 1300],
  [
    'the team, by role from a place on',
    big,
    people(big, { sort: 'permission' }, { ...place, id: nthId('user', 5) }),
    1300,
  ],
  [
    'the seats of the team',
    small,
    async tx => {
      await sql.raw(forReadOnlyList).execute(tx)
      await seats.countSeats(tx, small, now)
    },
  ],
  ['another owner', big, tx => team.hasOtherOwner(tx, big, nthId('user', 1))],
  ['the team of a small account', small, people(small, { sort: 'email' })],
  // A substring search reads all names of the account, not those of other accounts.
  [
    'keys with a word',
    big,
    tx => keys.listKeys(tx, big, { ...page, patterns: ['%nowhere%'] }),
    datasetSize.big + 100,
  ],
  ['keys counted', big, tx => keys.countMatchingKeys(tx, big, [], 1001), 1100],
  [
    'keys with a word counted',
    big,
    tx => keys.countMatchingKeys(tx, big, ['%nowhere%'], 1001),
    datasetSize.big + 100,
  ],
  ['keys that work', small, tx => keys.countActiveKeys(tx, small, now)],
  ['a key', big, tx => keys.findKey(tx, big, nthId('key', 1))],
  ['a sealed key', big, tx => keys.findSealedKey(tx, big, nthId('key', 1))],
  ['a key held', big, tx => keys.lockKey(tx, big, nthId('key', 1))],
  ['a key changed', big, tx => keys.updateKey(tx, big, nthId('key', 1), { name: 'Other' })],
  ['keys deleted', big, tx => keys.removeKeys(tx, big, [nthId('key', 1), nthId('key', 100_001)])],
  ['makers of keys', big, tx => keys.listMakers(tx, [nthId('user', 1), nthId('user', 2)])],
  ['keys that end', 'system', tx => keys.listExpiring(tx, { after: now, before: later })],
  [
    'keys made or seen since',
    'system',
    tx => keys.listExposedKeys(tx, { user_id: nthId('user', 9), since: now, seen: [nthId('key', 1)] }),
  ],
  ['keys ended', 'system', tx => keys.revokeKeys(tx, big, [nthId('key', 1)], now)],
  ['a key at the door', small, tx => sql`select find_api_key(${hashToken('key 4711')}, now())`.execute(tx)],
  ['keys used', small, tx => sql`select touch_api_keys(${[nthId('key', 4711)]}, now())`.execute(tx)],
  [
    'a member who goes, with their keys',
    'system',
    tx => sql`delete from memberships where user_id = ${nthId('user', 9422)}`.execute(tx),
  ],
  [
    'usage reported',
    small,
    tx =>
      usage.insertUsage(tx, {
        id: newId(),
        account_id: small,
        api_key_id: null,
        identifier: 'report 1',
        quantity: 1,
        occurred_at: now,
        created_at: now,
        meter: null,
      }),
  ],
  ['the log, the newest', big, tx => audit.findEntries(tx, log, newest)],
  ['the log, the oldest', big, tx => audit.findEntries(tx, log, { ...newest, descending: false })],
  ['the log from a place on', big, tx => audit.findEntries(tx, log, { ...newest, place: middle })],
  ['the log about a thing', big, tx => audit.findEntries(tx, { ...log, what: 'sso' }, newest)],
  ['the log about nothing', big, tx => audit.findEntries(tx, { ...log, what: 'plan' }, newest)],
  [
    'the log of a few',
    big,
    tx => audit.findEntries(tx, { ...log, people: [nthId('user', 2), nthId('user', 4)] }, newest),
  ],
  [
    'the log of a span of time',
    big,
    tx =>
      audit.findEntries(
        tx,
        { ...log, since: new Date(middle.value), until: now },
        { ...newest, descending: false },
      ),
  ],
  ['the log counted', big, tx => audit.countEntries(tx, log), 1100],
  ['the names of who is in the log', big, tx => audit.findPeople(tx, [nthId('user', 1), nthId('user', 2)])],
  ['usage found', small, tx => usage.findUsage(tx, small, 'report 1')],
  [
    'usage added to a month',
    small,
    tx => usage.addMonthlyUsage(tx, small, { month: now.toISOString().slice(0, 7), amount: 1, limit: 10 }),
  ],
]

class Undo extends Error {}

type Read = { relname: string; one_by_one: number; by_index: number }
const readSoFar = async (tx: Tx) =>
  (
    await sql<Read>`
      select relname, coalesce(seq_tup_read, 0) as one_by_one, coalesce(idx_tup_fetch, 0) as by_index
      from pg_stat_xact_user_tables where schemaname = 'public'`.execute(tx)
  ).rows

/** Runs a query as the server does and rolls it back. @returns the rows read from each table */
async function read(account: string, run: (tx: Tx) => Promise<unknown>) {
  let tables: Read[] = []
  const plans: string[] = []
  const trying = own.transaction().execute(async tx => {
    await sql`select set_config('role', ${account === 'system' ? db.roles.system : db.roles.app}, true),
      set_config('app.account_id', ${account === 'system' ? '' : account}, true)`.execute(tx)
    // What this connection did before may not have been written down yet, and counts until then.
    const before = await readSoFar(tx)
    asked.splice(0)
    await run(tx)
    const statements = [...asked]
    tables = (await readSoFar(tx)).map(({ relname, one_by_one, by_index }) => {
      const then = before.find(table => table.relname === relname)
      return {
        relname,
        one_by_one: one_by_one - (then?.one_by_one ?? 0),
        by_index: by_index - (then?.by_index ?? 0),
      }
    })
    for (const statement of statements) {
      const { rows } = await tx.executeQuery<Record<string, string>>({
        ...statement,
        sql: `explain ${statement.sql}`,
      })
      plans.push(...rows.flatMap(row => Object.values(row)))
    }
    throw new Undo()
  })
  await trying.catch(error => {
    if (!(error instanceof Undo)) throw error
  })
  return { tables, plans: plans.join('\n') }
}

describe('with 100,000 accounts', () => {
  test.each(queries)('%s: no full table scan', async (_, account, run, rows = 300) => {
    const { tables, plans } = await read(account, run)
    expect(plans).not.toContain('Seq Scan on')
    for (const { relname, one_by_one, by_index } of tables) {
      expect(one_by_one, `rows of ${relname} read one after the other\n${plans}`).toBe(0)
      expect(by_index, `rows of ${relname} read by an index\n${plans}`).toBeLessThanOrEqual(rows)
    }
  })

  test('a list that is not searched is never sorted: its order is an index', async () => {
    for (const [name, account, run] of queries.slice(0, 8)) {
      const { plans } = await read(account, run)
      expect(plans, name).not.toContain('Sort')
    }
  })
})
