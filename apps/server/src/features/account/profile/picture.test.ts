import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import {
  decompressionBomb,
  multipartBody,
  photoWithExif,
  pngImage,
  withTextChunk,
  zipArchive,
} from '../../../../test/factories/images.ts'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { deleteOrphanedFiles } from './picture.ts'

const folder = temporaryFolder()
const { app, call, people, db, services, clock } = await makeTestApp({ DATA_DIR: folder })

const stored = () => {
  try {
    return readdirSync(join(folder, 'files'))
  } catch {
    return []
  }
}
const keyOf = (address: string) => address.split('/').at(-1) ?? ''
type File = { file: Buffer; filename?: string; type?: string }
const send = (token: string, { file, filename = 'me.png', type = 'image/png' }: File, fields = {}) =>
  call('PATCH', '/api/user', {
    token,
    ...multipartBody([
      ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
      { name: 'avatar', value: file, filename, type },
    ]),
  })
const shown = (address: string, headers = {}) => app.inject({ url: address, headers })

/** A user with a picture, and its address. */
async function pictured(file?: Buffer) {
  const user = await people.owner()
  const answer = await send(user.token, { file: file ?? (await photoWithExif()) })
  expect(answer.status).toBe(200)
  return { user, address: String(answer.data.avatar) }
}

describe('[rule:profile.avatar] [call:PATCH /api/user profile] a picture', () => {
  test('is saved with the other fields; everyone who sees the user can load it', async () => {
    const user = await people.owner()
    const answer = await send(
      user.token,
      { file: await photoWithExif(), filename: 'me.jpg', type: 'image/jpeg' },
      { first_name: 'Maria', last_name: 'Okafor', email: user.email, account_name: 'Quay' },
    )
    expect(answer).toMatchObject({
      status: 200,
      data: {
        first_name: 'Maria',
        account_name: 'Quay',
        avatar: expect.stringMatching(/^\/api\/avatar\/[\w-]{43}\.jpg$/),
      },
    })
    const { avatar } = answer.data
    expect((await call('GET', '/api/user', { token: user.token })).data.avatar).toBe(avatar)
    expect((await call('GET', '/api/auth', { token: user.token })).data.avatar).toBe(avatar)
    expect((await shown(avatar)).statusCode).toBe(200)
  })

  test('comes out small, square and without metadata about where it was taken [V14.2.8]', async () => {
    const { address } = await pictured()
    const { rawPayload, headers } = await shown(address)
    expect(rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    const { width, height, exif, icc, xmp, iptc } = await sharp(rawPayload).metadata()
    expect({ width, height, exif, icc, xmp, iptc }).toEqual({ width: 256, height: 256 })
    expect(rawPayload.includes('CANARY')).toBe(false)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="avatar.jpg"',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
  })

  test('is rotated before its orientation is removed', async () => {
    const half = await sharp({ create: { width: 200, height: 400, channels: 3, background: '#fff' } })
      .composite([
        { input: { create: { width: 200, height: 200, channels: 3, background: '#000' } }, top: 0, left: 0 },
      ])
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { address } = await pictured(half)
    // A quarter turn: the top is on the right.
    const { data } = await sharp((await shown(address)).rawPayload)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const row = 128 * 256
    expect([(data[row + 20] ?? 0) > 200, (data[row + 235] ?? 255) < 50]).toEqual([true, true])
  })

  test('is one per person: the previous one is removed, whatever the order [V5.2.4]', async () => {
    const { user, address } = await pictured()
    const file = await pngImage()
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(user.token, { file })))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const { avatar } = (await call('GET', '/api/user', { token: user.token })).data
    const sent = [address, ...answers.map(({ data }) => String(data.avatar))].map(keyOf)
    await vi.waitFor(() => expect(stored().filter(key => sent.includes(key))).toEqual([keyOf(avatar)]), {
      timeout: 20_000,
    })
    expect((await shown(avatar)).statusCode).toBe(200)
    expect(await shown(address)).toMatchObject({ statusCode: 404, headers: { 'cache-control': 'no-store' } })
    const noted = async () =>
      (await db.asOwnerOfJobs('select key from orphaned_files where key = any ($1)', [sent])).rows
    await vi.waitFor(async () => expect(await noted()).toEqual([]), { timeout: 20_000 })
  })

  test('can be taken away', async () => {
    const { user, address } = await pictured()
    const answer = await call('PATCH', '/api/user', { token: user.token, body: { avatar: null } })
    expect(answer).toMatchObject({ status: 200, data: { avatar: null } })
    await vi.waitFor(() => expect(stored()).not.toContain(keyOf(address)), { timeout: 20_000 })
    const other = await call('PATCH', '/api/user', { token: user.token, body: { first_name: 'Mara' } })
    expect(other.data.avatar).toBeNull()
  })

  test('is deleted with the user [T-89]', async () => {
    const { user, address } = await pictured()
    expect((await call('DELETE', '/api/account', { token: user.token, body: { password } })).status).toBe(200)
    await vi.waitFor(() => expect(stored()).not.toContain(keyOf(address)), { timeout: 20_000 })
  })

  test('is not kept when the change is refused or aborted [F-01]', async () => {
    const { user, address } = await pictured()
    const account = '01a1fa42-8c01-78ae-9ea9-6d886f883969'
    const before = stored()
    const answer = await send(user.token, { file: await photoWithExif() }, { default_account: account })
    expect(answer).toMatchObject({ status: 404, body: { inputError: 'default_account' } })
    expect((await call('GET', '/api/user', { token: user.token })).data.avatar).toBe(address)
    // It was noted before it was stored, as one to be removed when no upload can be under way any more.
    const left = stored().filter(key => !before.includes(key))
    expect(left).toHaveLength(1)
    await deleteOrphanedFiles(services)
    expect(stored()).toEqual(expect.arrayContaining(left))
    clock.add(2 * 3_600_000)
    await deleteOrphanedFiles(services)
    expect(stored().filter(key => left.includes(key))).toEqual([])
    expect(stored()).toContain(keyOf(address))
  })
})

describe('[T-70] refuses a file that is no picture, and more than one', () => {
  // One person tries them all: nothing of a file that is refused stays.
  let trying: ReturnType<typeof pictured> | undefined
  test.each<
    [what: string, file: () => Buffer | Promise<Buffer>, status: number, code: string, as?: Partial<File>]
  >([
    [
      'an SVG named png [V1.3.4]',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      415,
      'file_type',
    ],
    ['a page named png', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415, 'file_type'],
    [
      'a GIF that is a script too',
      () => Buffer.from('GIF89a/*\x00\x00*/=1;alert(1)//'),
      415,
      'file_type',
      { filename: 'a.gif', type: 'image/gif' },
    ],
    [
      'a WebP',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .webp()
          .toBuffer(),
      415,
      'file_type',
    ],
    [
      'the first bytes of a PNG and no more',
      () => Buffer.from('89504e470d0a1a0a', 'hex'),
      422,
      'picture_broken',
    ],
    [
      'a page behind the first bytes of a PNG',
      () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('<script>')]),
      422,
      'picture_broken',
    ],
    [
      'an SVG behind the first bytes of a JPEG',
      () =>
        Buffer.concat([
          Buffer.from('ffd8ff', 'hex'),
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ]),
      422,
      'picture_broken',
    ],
    ['half a PNG', async () => (await pngImage(600, 600)).subarray(0, 400), 422, 'picture_broken'],
    ['half a JPEG', async () => (await photoWithExif()).subarray(0, 1500), 422, 'picture_broken'],
    ['a PNG that is a bomb', () => decompressionBomb(30_000, 30_000, 1), 422, 'picture_too_large'],
    ['a bomb with everything in it', () => decompressionBomb(20_000, 20_000), 422, 'picture_too_large'],
    ['a line of pixels', () => decompressionBomb(2_000_000, 1), 422, 'picture_too_large'],
    ['a PNG whose size is a lie', () => decompressionBomb(4000, 4000, 10), 422, 'picture_broken'],
    ['more than 5 MB', () => Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'file_too_large'],
  ])('%s is refused at its field', async (_what, make, status, code, as) => {
    trying ??= pictured(await pngImage(20, 20))
    const { user, address } = await trying
    const answer = await send(user.token, { file: await make(), ...as })
    expect(answer).toMatchObject({
      status,
      body: { inputError: 'avatar', message: expect.stringMatching(/\w/) },
    })
    expect(answer.body.code).toBe(code)
    if (code === 'file_type') expect(answer.body.message).toBe('Only PNG and JPEG pictures can be used')
    expect((await call('GET', '/api/user', { token: user.token })).data.avatar).toBe(address)
  })

  test('an empty file, as a form without a chosen file sends it, leaves the picture unchanged', async () => {
    const { user, address } = await pictured(await pngImage(20, 20))
    const answer = await send(user.token, { file: Buffer.alloc(0) })
    expect([answer.status, answer.data.avatar]).toEqual([200, address])
    expect((await call('GET', '/api/user', { token: user.token })).data.avatar).toBe(address)
  })

  const tail = zipArchive('evil.js', 'alert(1)')
  const page = Buffer.from('<script>CANARY</script>')
  test.each<[what: string, file: () => Promise<Buffer>]>([
    ['an archive behind a JPEG', async () => Buffer.concat([await photoWithExif(), tail])],
    ['an archive behind a PNG', async () => Buffer.concat([await pngImage(), tail])],
    ['a page behind a PNG', async () => Buffer.concat([await pngImage(), page])],
    ['words inside a PNG', async () => withTextChunk(await pngImage(), page.toString())],
    [
      'a profile with words',
      async () =>
        sharp(await photoWithExif())
          .withXmp(`<x>${page}</x>`)
          .toBuffer(),
    ],
  ])('of %s the pixels alone come out [V5.2.2]', async (_what, make) => {
    const { address } = await pictured(await make())
    const { rawPayload } = await shown(address)
    for (const trace of ['CANARY', 'evil.js', '<script', 'PK\x03\x04'])
      expect(rawPayload.includes(trace)).toBe(false)
    expect((await sharp(rawPayload).metadata()).width).toBe(256)
  })

  test('16-bit, palette, grey, CMYK and animated pictures are converted to one still picture', async () => {
    const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: '#16766d' } })
    for (const file of [
      await plain.clone().toColourspace('rgb16').png().toBuffer(),
      await plain.clone().png({ palette: true }).toBuffer(),
      await plain.clone().png({ progressive: true }).toBuffer(),
      await plain.clone().greyscale().jpeg({ progressive: true }).toBuffer(),
      await plain.clone().toColourspace('cmyk').jpeg().toBuffer(),
    ]) {
      const { address } = await pictured(file)
      const { width, height, pages, depth } = await sharp((await shown(address)).rawPayload).metadata()
      expect({ width, height, pages, depth }).toEqual({ width: 256, height: 256, depth: 'uchar' })
    }
  })

  test.each([
    '../../../etc/passwd.png',
    '..\\\\..\\\\a.png',
    '/etc/cron.d/x',
    'a\\u0000.png',
    'con.png',
    `${'x'.repeat(300)}.png`,
  ])('a file called %j is stored under a name of ours [V5.3.1]', async filename => {
    const user = await people.owner()
    const answer = await send(user.token, { file: await pngImage(20, 20), filename })
    expect(answer.status).toBe(200)
    expect(stored()).toContain(keyOf(answer.data.avatar))
    expect(stored().filter(key => !/^[\w-]{43}\.(png|jpg)$/.test(key))).toEqual([])
  })
})

test('[V5.3.1] paths with another extension, another method or traversal return not found', async () => {
  const { address } = await pictured()
  const key = keyOf(address)
  for (const url of [
    `${address}.html`,
    address.replace('.jpg', '.js'),
    address.replace('.jpg', '.png'),
    `/api/avatar/..%2f..%2fapp-secret`,
    `/api/avatar/.${key}`,
    '/api/avatar/',
  ])
    expect((await shown(url)).statusCode, url).toBe(404)
  expect(readFileSync(join(folder, 'files', key)).length).toBeGreaterThan(100)
})

test('picture uploads of one user are limited', async () => {
  const slow = await makeTestApp({ DATA_DIR: folder, RATE_LIMIT_FACTOR: '1' })
  const user = await slow.people.signUp()
  const { body, headers } = multipartBody([{ name: 'avatar', value: 'no picture', filename: 'a.png' }])
  const answers: number[] = []
  for (let n = 0; n < 31; n++)
    answers.push((await slow.call('PATCH', '/api/user', { token: user.token, body, headers })).status)
  expect(answers.slice(0, 30)).toEqual(Array(30).fill(415))
  expect(answers[30]).toBe(429)
})

test('reads are limited too, far above the use of a whole company [T-79]', async () => {
  const strict = await makeTestApp({ DATA_DIR: folder, RATE_LIMIT_FACTOR: '1' })
  const look = () => strict.app.inject({ url: `/api/avatar/${'x'.repeat(43)}.png` })
  const counts = new Map<number, number>()
  for (let round = 0; round < 20; round++)
    for (const { statusCode } of await Promise.all(Array.from({ length: 101 }, look)))
      counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1)
  expect([...counts]).toEqual([
    [404, 2000],
    [429, 20],
  ])
  expect(Number((await look()).headers['retry-after'])).toBeGreaterThan(0)
})
