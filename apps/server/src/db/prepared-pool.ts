import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { nameOf, type namesOfTexts } from '../runtime/prepared.ts'
import { txStorage } from './transaction.ts'

/** Corks the socket until the current promises have run, so that their messages leave as one packet. */
function corkSocket(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection // as: pg's types leave it out
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The driver takes a statement for prepared that the database does not know: only a new connection helps. */
export const isLost = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === '26000'

/** Runs one statement in its own transaction. With `pipeline` begin, statement and commit are one packet. */
export async function inOwnTransaction<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { opening, pipeline }: { opening: string; pipeline: boolean },
  ask: () => Promise<pg.QueryResult<R>>,
): Promise<pg.QueryResult<R>> {
  if (pipeline) corkSocket(client)
  const sent: Promise<unknown>[] = []
  const send = async <T>(promise: Promise<T>) => {
    sent.push(promise)
    if (!pipeline) await Promise.allSettled([promise])
  }
  await send(client.query(opening))
  const asked = ask()
  await send(asked)
  await send(client.query('commit'))
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return asked
}

/** A call of one of our SQL functions: its text never varies. */
const ownFunction = /^select ([a-z_]+)\([$\d, ]*\) as value$/

/** Statements of the query builder, without those that begin and end transactions. */
const built = /^(?:select|insert|update|delete|with) /

type Options = {
  pipeline: boolean
  nameOfText: ReturnType<typeof namesOfTexts>
  /** Behind a pooler: the begin of a statement without a transaction. No statement has a name then. */
  pooledOpening: string | null
}

/**
 * Prepares calls of our SQL functions, and named statements, once a connection: parsing one costs about as much as running
 * it. The embedded database has one connection and parses slowly: it prepares every statement. A transaction begins when
 * its connection is taken, so that begin and first statement are sent together.
 */
export function preparedPool(pool: pg.Pool, options: Options): PostgresPool {
  const { pipeline, pooledOpening } = options
  const nameOfBuilt = (text: string) => (built.test(text) ? options.nameOfText(text) : undefined)
  const statementName = (text: string, count: number) => {
    if (pooledOpening !== null) return undefined
    const name = ownFunction.exec(text)?.[1] ?? nameOf(text)
    return name ? `${name}/${count}` : nameOfBuilt(text)
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const transaction = txStorage.getStore()
      if (transaction) {
        if (pipeline) corkSocket(client)
        transaction.begun = client.query(transaction.opening)
        // transaction() awaits it and reports its failure.
        transaction.begun.catch(() => {})
        // Pipelining works on a real PostgreSQL only.
        if (!pipeline)
          await transaction.begun.catch((error: Error) => {
            client.release(error)
            throw error
          })
      }
      let spoiled: Error | undefined
      const send = async (text: string, values: unknown[]) => {
        const query = { name: statementName(text, values.length), text }
        return client.query(query, values).catch(error => {
          if (isLost(error)) spoiled = error
          throw error
        })
      }
      return {
        query(text: string, values: unknown[]) {
          if (!transaction && pooledOpening !== null)
            return inOwnTransaction(client, { opening: pooledOpening, pipeline }, () => send(text, values))
          if (!transaction?.readOnlyList || text === 'commit' || text === 'rollback')
            return send(text, values)
          if (transaction.ended) throw new Error('A read-only list is one statement')
          const asked = send(text, values)
          // The commit is sent at once: after a failure it rolls back.
          const end = () => client.query('commit')
          transaction.ended = pipeline ? end() : asked.then(end, end)
          const ended = transaction.ended.catch(() => {})
          return pipeline ? asked : ended.then(() => asked)
        },
        release: (destroy?: boolean) => client.release(destroy || spoiled),
      } as unknown as PostgresPoolClient // as: no statement of ours is read by a cursor, the other form of query
    },
  }
}
