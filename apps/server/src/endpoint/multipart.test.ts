import { describe, expect, test } from 'vitest'
import { multipartBody, pngImage } from '../../test/factories/images.ts'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../test/harness.ts'

const folder = temporaryFolder()
const { app, call, people } = await makeTestApp({ DATA_DIR: folder })
const patch = (token: string, parts: Parameters<typeof multipartBody>[0]) =>
  call('PATCH', '/api/user', { token, ...multipartBody(parts) })

describe('[T-77] [T-78] a multipart body', () => {
  test.each([
    [
      'two files',
      [
        { name: 'avatar', value: 'a', filename: 'a.png' },
        { name: 'avatar', value: 'b', filename: 'b.png' },
      ],
      422,
    ],
    ['a text in place of the file', [{ name: 'avatar', value: '/api/avatar/x.png' }], 422],
    ['a file in place of a text', [{ name: 'first_name', value: 'a', filename: 'a.png' }], 422],
    ['a file that nobody asked for', [{ name: 'other', value: 'a', filename: 'a.png' }], 422],
    ['a switch as another word', [{ name: 'support_enabled', value: 'yes' }], 422],
    ['a role', [{ name: 'permission', value: 'owner' }], 422],
    ['a prototype', [{ name: '__proto__', value: 'x' }], 422],
    ['hundreds of parts', Array.from({ length: 300 }, (_, n) => ({ name: `f${n}`, value: 'x' })), 400],
  ])('with %s is refused', async (_what, parts, status) => {
    const user = await people.owner()
    expect((await patch(user.token, parts)).status).toBe(status)
  })

  test('a text that is not UTF-8 is refused, a file may hold any bytes', async () => {
    const user = await people.owner()
    const { headers } = multipartBody([])
    const part = (name: string, value: string) =>
      `--plinth-test-boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    for (const bad of [
      part('first_name', 'a\xff\xfeb'),
      part('first_name', '\xc0\x80'),
      part('first\xff', 'a'),
    ]) {
      const body = Buffer.from(`${bad}--plinth-test-boundary--\r\n`, 'latin1')
      const answer = await call('PATCH', '/api/user', { token: user.token, headers, body })
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_body'])
    }
  })

  test('endless part headers and missing part headers are refused', async () => {
    const user = await people.owner()
    const { headers } = multipartBody([])
    for (const text of [
      `--plinth-test-boundary\r\n${'x-a: b\r\n'.repeat(5000)}content-disposition: form-data; name="first_name"\r\n\r\nA\r\n--plinth-test-boundary--\r\n`,
      '--plinth-test-boundary\r\n\r\nA\r\n--plinth-test-boundary--\r\n',
      '--plinth-test-boundary\r\ncontent-disposition: form-data; name="first_name"\r\n\r\nA',
    ]) {
      const answer = await call('PATCH', '/api/user', { token: user.token, body: Buffer.from(text), headers })
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_body'])
    }
  })

  test('a form without a file is one, too; a file that was not chosen is none', async () => {
    const user = await people.owner()
    const before = await patch(user.token, [
      { name: 'avatar', value: await pngImage(20, 20), filename: 'a.png' },
    ])
    const answer = await patch(user.token, [
      { name: 'first_name', value: 'Ana' },
      { name: 'avatar', value: '', filename: '', type: 'application/octet-stream' },
    ])
    const { avatar } = before.data
    expect(answer).toMatchObject({ status: 200, data: { first_name: 'Ana', avatar } })
  })

  test('true and false of a form are a switch, and an empty file is none', async () => {
    const user = await people.owner()
    for (const on of [true, false]) {
      const answer = await patch(user.token, [
        { name: 'dark_mode', value: String(on) },
        { name: 'avatar', value: '', filename: 'empty.png' },
      ])
      expect(answer).toMatchObject({ status: 200, data: { dark_mode: on, avatar: null } })
    }
  })

  test('a field sent twice is named in the message', async () => {
    const user = await people.owner()
    const answer = await patch(user.token, [
      { name: 'first_name', value: 'A' },
      { name: 'first_name', value: 'B' },
    ])
    expect(answer.body).toMatchObject({ message: 'First name is not valid', inputError: 'first_name' })
  })

  test('is read for who is signed in alone', async () => {
    const answer = await call(
      'PATCH',
      '/api/user',
      multipartBody([{ name: 'avatar', value: 'x', filename: 'a.png' }]),
    )
    expect(answer.status).toBe(401)
    const other = await call('POST', '/api/event', multipartBody([{ name: 'name', value: 'x' }]))
    expect(other.status).toBe(415)
  })

  test('a JSON string is not accepted as a picture', async () => {
    const user = await people.owner()
    for (const avatar of [
      'https://evil.example/a.png',
      'javascript:alert(1)',
      '//evil.example',
      {},
      [],
      1,
      { size: 1 },
    ])
      expect((await call('PATCH', '/api/user', { token: user.token, body: { avatar } })).status).toBe(422)
  })
})

test('[V5.2.1] [F-12] a body without end is cut off at the limit, and the memory stays', async () => {
  const user = await people.owner()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const before = process.memoryUsage().rss
  const block = new Uint8Array(64 * 1024)
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += block.length
      if (sent > 200 * 1024 * 1024) controller.close()
      else controller.enqueue(block)
    },
  })
  const answer = await fetch(`${address}/api/user`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${user.token}`, host: 'localhost:5000', ...multipartBody([]).headers },
    body,
    duplex: 'half',
  } as RequestInit).catch(() => null) // as: the type does not know duplex; a cut connection is an answer, too
  if (answer) expect(answer.status).toBe(413)
  expect(sent).toBeLessThan(100 * 1024 * 1024)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})
