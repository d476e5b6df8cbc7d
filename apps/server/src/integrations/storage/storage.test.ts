import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { multipartBody, pngImage } from '../../../test/factories/images.ts'
import { temporaryFolder } from '../../../test/harness/temporary-folder.ts'
import { makeTestApp, password } from '../../../test/harness.ts'
import { startS3Server } from '../../../test/servers/s3-server.ts'
import { openStorage, storageRefusal } from './storage.ts'

const folder = temporaryFolder()
const secret = 'a/secret+of=the-store'
const remote = await startS3Server('plinth', secret)
afterAll(() => {
  remote.close()
})
const s3 = {
  endpoint: remote.url,
  bucket: 'plinth',
  region: 'eu-central-1',
  accessKeyId: 'AKIATEST',
  secretAccessKey: secret,
}
const guard = () => {}
const stores = {
  folder: openStorage({ folder: join(folder, 'files'), s3: null, guard }),
  s3: openStorage({ folder: join(folder, 'never'), s3, guard }),
}

describe.each(Object.entries(stores))('files in: %s', (_name, storage) => {
  test('a stored file is complete and stays until it is removed', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 1])
    expect(await storage.get('none.png')).toBeNull()
    await storage.put('a_-1.png', bytes, 'image/png')
    expect(await storage.get('a_-1.png')).toEqual(bytes)
    await storage.put('a_-1.png', Buffer.from('other'), 'image/png')
    expect(await storage.get('a_-1.png')).toEqual(Buffer.from('other'))
    await storage.remove('a_-1.png')
    await storage.remove('a_-1.png')
    expect(await storage.get('a_-1.png')).toBeNull()
  })

  test.each([
    '../app-secret',
    'a/b.png',
    '.png',
    'a',
    'a..png',
    `${'a'.repeat(101)}.png`,
    'a.png\n',
    '%2e%2e.png',
  ])('the invalid key %j throws before any access', async key => {
    const before = remote.asked.length
    await expect(storage.get(key)).rejects.toThrow('Invalid storage key')
    await expect(storage.put(key, Buffer.from('x'), 'image/png')).rejects.toThrow('Invalid storage key')
    await expect(storage.remove(key)).rejects.toThrow('Invalid storage key')
    expect(remote.asked).toHaveLength(before)
  })
})

test('every call inside a transaction throws', async () => {
  const strict = openStorage({
    folder,
    s3: null,
    guard: () => {
      throw new Error('inside')
    },
  })
  await expect(strict.get('a.png')).rejects.toThrow('inside')
})

test('[F-09] an unwritable folder keeps no partial file and gives the matching refusal', async () => {
  writeFileSync(join(folder, 'a-file'), '')
  const { put } = openStorage({ folder: join(folder, 'a-file'), s3: null, guard })
  await expect(put('a.png', Buffer.from('x'), 'image/png')).rejects.toThrow()
  await stores.folder.put('b.png', Buffer.from('x'), 'image/png')
  expect(readdirSync(join(folder, 'files'))).toEqual(['b.png'])
  expect(statSync(join(folder, 'files', 'b.png')).mode & 0o777).toBe(0o600)
  expect(storageRefusal(Object.assign(new Error('full'), { code: 'ENOSPC' })).code).toBe('storage_full')
  expect(storageRefusal(new Error('away')).code).toBe('busy')
})

test('removes partial files of crashes, keeps files that are being written', async () => {
  const files = join(folder, 'crashed')
  const storage = openStorage({ folder: files, s3: null, guard })
  await storage.removeUnfinished(new Date())
  await storage.put('whole.png', Buffer.from('x'), 'image/png')
  const [old, young] = [`.${crypto.randomUUID()}`, `.${crypto.randomUUID()}`]
  for (const name of [old, young, '.keep']) writeFileSync(join(files, name), 'half')
  const yesterday = new Date(Date.now() - 86_400_000)
  for (const name of [old, '.keep', 'whole.png']) utimesSync(join(files, name), yesterday, yesterday)
  await storage.removeUnfinished(new Date(Date.now() - 3_600_000))
  expect(readdirSync(files).sort()).toEqual(['.keep', young, 'whole.png'].sort())
})

describe('a bucket', () => {
  const opening = makeTestApp({
    DATA_DIR: folder,
    S3_ENDPOINT: remote.url,
    S3_BUCKET: 'plinth',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'AKIATEST',
    S3_SECRET_ACCESS_KEY: secret,
  })
  const upload = async (token: string) =>
    (await opening).call('PATCH', '/api/user', {
      token,
      ...multipartBody([{ name: 'avatar', value: await pngImage(20, 20), filename: 'a.png' }]),
    })

  test('stores images, serves them through the server and deletes them', async () => {
    const { people, call, app: server } = await opening
    const user = await people.owner()
    const { data } = await upload(user.token)
    const key = `/plinth/avatars/${data.avatar.split('/').at(-1)}`
    expect(remote.objects.get(key)?.type).toBe('image/png')
    const shown = await server.inject({ url: data.avatar })
    expect(shown.rawPayload).toEqual(remote.objects.get(key)?.bytes)
    await call('DELETE', '/api/account', { token: user.token, body: { password } })
    await vi.waitFor(() => expect(remote.objects.has(key)).toBe(false), { timeout: 20_000 })
  })

  test.each([500, 403, 307])('that answers %i gives a busy refusal, and nothing changes', async status => {
    const { people, call, app: server } = await opening
    const user = await people.owner()
    const before = await upload(user.token)
    Object.assign(remote.state, { status, location: status === 307 ? `${remote.url}/elsewhere/x` : '' })
    const answer = await upload(user.token)
    const shown = await server.inject({ url: before.data.avatar })
    Object.assign(remote.state, { status: 0, location: '' })
    expect([answer.status, answer.body.code, shown.statusCode]).toEqual([503, 'busy', 503])
    expect(answer.text + shown.payload).not.toContain('CANARY')
    expect(remote.asked.filter(line => line.includes('elsewhere'))).toEqual([])
    expect((await call('GET', '/api/user', { token: user.token })).data.avatar).toBe(before.data.avatar)
  })

  test('that refuses the signature throws', async () => {
    const wrong = openStorage({ folder, s3: { ...s3, secretAccessKey: 'other' }, guard })
    await expect(wrong.get('a.png')).rejects.toThrow('403')
    const lost = openStorage({ folder, s3: { ...s3, bucket: 'other' }, guard })
    await expect(lost.put('a.png', Buffer.from('x'), 'image/png')).rejects.toThrow('404')
  })
})
