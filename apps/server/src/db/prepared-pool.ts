import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { nameOf, type namesOfTexts } from '../lib/prepared.ts'

export type TxState = {
  opening: string
  listing: boolean
  begun: Promise<unknown> | null
  /** The end of a listing, on its way. */
  ended: Promise<unknown> | null
}
/** The transaction that the code is running in. */
export const txStorage = new AsyncLocalStorage<TxState>()

/** Corks the socket until the current promises have run, so that their messages leave as one packet. */
function corkSocket(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection // as: pg's types leave it out
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Driver and database disagree on what is prepared: only a new connection ends that. */
export const isLost = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === '26000'

/**
 * Runs one statement in a transaction of its own. To a server its beginning, itself and its end are one packet; the
 * embedded database takes one after the other.
 */
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

/** Calls of the database's own functions: their text never varies. */
const ownFunction = /^select ([a-z_]+)\([$\d, ]*\) as value$/

/** What the query builder writes, but for what begins and ends transactions. */
const built = /^(?:select|insert|update|delete|with) /

type Options = {
  pipeline: boolean
  nameOfText: ReturnType<typeof namesOfTexts>
  /** Behind a pooler: begins the transaction that a statement outside of one needs, and no statement has a name. */
  pooledOpening: string | null
}

/**
 * Prepares calls of our own functions, and what asks for it, once a connection: to parse one costs about as much as to
 * run it. The embedded database has one connection and reads slowly: there, that holds for every statement. A transaction
 * begins as its connection is taken, so that its first statement goes with it: one wait less.
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
        // Its failure is reported by the code that awaits it.
        transaction.begun.catch(() => {})
        // One after the other without waiting is for a server.
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
          if (!transaction?.listing || text === 'commit' || text === 'rollback') return send(text, values)
          if (transaction.ended) throw new Error('A listing is one statement')
          const asked = send(text, values)
          // Its end follows at once, whatever became of it: after a failure a commit takes back.
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
