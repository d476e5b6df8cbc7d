import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { multipartBody, photoWithExif, pngImage } from '../../../../test/factories/images.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { freshEmail, password } from '../../../../test/harness.ts'
import { parseConfig } from '../../../config.ts'
import { openDb } from '../../../db/pool.ts'
import { openQueue } from '../../../jobs/queue.ts'
import { makeLog } from '../../../log.ts'
import { makeServices } from '../../../services.ts'
import { deleteOrphanedFiles } from './picture.ts'

/** Points at which the server kills itself with signal 9 while a picture is put in another's place. */
const points = ['picture:after_listed_as_orphan', 'picture:half_written', 'picture:after_put'] as const

/** Starts the real server five times, which takes a busy machine its time. */
const slow = 240_000
const env = await createServerEnv()
const stored = () => readdirSync(join(env.DATA_DIR, 'files'))
const keyOf = (address: string) => address.split('/').at(-1) ?? ''

type Found = { avatar: string; side: number | undefined }
const found = new Map<string, Found>()
const left = new Map<string, string[]>()
let first = ''
let after: { files: string[]; notes: unknown[]; halfMeanwhile: string[] }

async function upload(url: string, token: string, file: Buffer) {
  const { body, headers } = multipartBody([{ name: 'avatar', value: file, filename: 'me.png' }])
  const answer = await fetch(`${url}/api/user`, {
    method: 'PATCH',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body,
  })
  return ((await answer.json()) as { data: { avatar: string } }).data.avatar // as: the contract's reply
}

/** The visible picture: a whole one, or none. */
async function look(url: string, token: string): Promise<Found> {
  const answer = await fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await answer.json()) as { data: { avatar: string } } // as: the contract's reply
  const picture = await fetch(url + data.avatar)
  const { width } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
  return { avatar: data.avatar, side: width }
}

beforeAll(async () => {
  const server = await startServer(env)
  const signUp = await fetch(`${server.url}/api/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Mara', last_name: 'Okafor', email: freshEmail('crash'), password }),
  })
  const { data } = (await signUp.json()) as { data: { token: string } } // as: the contract's reply
  first = await upload(server.url, data.token, await photoWithExif())
  await server.stop()
  let last: string | undefined
  const seen = async (url: string) => {
    if (last) found.set(last, await look(url, data.token))
  }
  for (const point of points) {
    const dying = await startServer({ ...env, FAULT: point })
    await seen(dying.url)
    const before = stored()
    await expect(upload(dying.url, data.token, await pngImage())).rejects.toThrow()
    expect(await dying.exited).toBe('SIGKILL')
    left.set(
      point,
      stored().filter(file => !before.includes(file)),
    )
    last = point
  }
  const looking = await startServer(env)
  await seen(looking.url)
  await looking.stop()
  after = await upkeep()
}, slow)

describe('killed during an upload: the previous picture stays complete [F-01] [F-09]', () => {
  test.each(points)('%s', point => {
    expect(found.get(point)).toEqual({ avatar: first, side: 256 })
  })

  test('the remaining files are those of the crash point', () => {
    expect(left.get('picture:after_listed_as_orphan')).toEqual([])
    expect(left.get('picture:half_written')).toEqual([expect.stringMatching(/^\.[0-9a-f-]{36}$/)])
    expect(left.get('picture:after_put')).toEqual([expect.stringMatching(/^[\w-]{43}\.png$/)])
  })

  test('the clean-up keeps files that may still be uploading, and deletes orphans later', () => {
    expect(after.halfMeanwhile).toEqual(left.get('picture:half_written'))
    expect(after.files).toEqual([keyOf(first)])
    expect(after.notes).toEqual([])
  })
})

/** The hourly job, at once and two hours later. */
async function upkeep() {
  const config = parseConfig({
    NODE_ENV: 'test',
    APP_SECRET: 'a secret for tests, long enough to be taken',
    LOG_LEVEL: 'silent',
    ...env,
  })
  const log = makeLog(config.logLevel)
  const db = await openDb({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, poolSize: 2 })
  const queue = openQueue(db, log, { workers: false })
  await queue.start()
  const at = (ms: number) => makeServices({ config, db, queue, log, now: () => new Date(Date.now() + ms) })
  try {
    await deleteOrphanedFiles(at(0))
    const halfMeanwhile = stored().filter(file => file.startsWith('.'))
    await deleteOrphanedFiles(at(2 * 3_600_000))
    const { rows } = await db.asOwnerOfJobs('select key from orphaned_files')
    return { files: stored(), notes: rows, halfMeanwhile }
  } finally {
    await queue.stop()
    await db.close()
  }
}
