import { createServer, type RequestListener, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/integrations/saml/addresses.ts'
import { fetchMetadata } from '../../src/integrations/saml/saml.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
})

/** A server on loopback. @returns its port and the received requests */
async function listen(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const bound = server.address()
  return { port: typeof bound === 'object' && bound ? bound.port : 0, asked }
}

const to =
  (...addresses: string[]) =>
  async () =>
    addresses.map(address => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }))
const loopback = to('127.0.0.1')
const refusal = (url: string, options: Parameters<typeof fetchMetadata>[1] = {}) =>
  fetchMetadata(url, options).then(
    () => 'accepted',
    problem => problem.code,
  )

describe('T-55 an address an owner types reaches nothing of ours', () => {
  const unresolved = async () => {
    throw new Error('nobody may ask')
  }
  test.each([
    'http://idp.example.com/metadata',
    'file:///etc/passwd',
    'ftp://idp.example.com/',
    'data:text/xml,<a/>',
    'gopher://127.0.0.1/',
    'https://user:password@idp.example.com/',
    'https://',
    'metadata',
    `https://idp.example.com/${'x'.repeat(2048)}`,
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.0.0.192/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
  ])('%s', async url => {
    expect(await refusal(url, { resolve: unresolved })).toBe('address_refused')
  })

  test.each([
    ['inside', to('10.0.0.1')],
    ['this machine', to('127.0.0.1')],
    ['this machine, the other way', to('::1')],
    ['the cloud’s own service', to('169.254.169.254')],
    ['inside and outside at once', to('93.184.216.34', '10.0.0.1')],
    ['outside, and mapped inside', to('93.184.216.34', '::ffff:10.0.0.1')],
    ['nowhere', to()],
    ['no address at all', to('idp.internal')],
  ])('a name that points %s', async (_, resolve) => {
    expect(await refusal('https://idp.example.com/metadata', { resolve })).toBe('address_refused')
  })

  test('the open internet is open', () => {
    const ones = [
      '8.8.8.8',
      '93.184.216.34',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450:4001::1',
    ]
    for (const address of ones) {
      expect(isPublicAddress({ address, family: address.includes(':') ? 6 : 4 }), address).toBe(true)
    }
  })

  test('the name is asked once, and the connection goes to the address that was checked', async () => {
    const { port, asked } = await listen((_, response) => response.end('<a/>'))
    const answers = ['127.0.0.1', '10.0.0.1']
    let questions = 0
    const resolve = async () => {
      const address = answers[questions] ?? ''
      questions += 1
      return [{ address, family: 4 as const }]
    }
    const origin = `http://flips.test:${port}`
    expect(await fetchMetadata(`${origin}/metadata`, { sandboxOrigin: origin, resolve })).toBe('<a/>')
    expect(questions).toBe(1)
    expect(asked).toEqual([`flips.test:${port}/metadata`])
  })

  test('the sandbox’s origin is the only one in the clear, and leads to this machine only', async () => {
    const { port, asked } = await listen((_, response) => response.end('<a/>'))
    const sandboxOrigin = `http://localhost:${port}`
    expect(await fetchMetadata(`${sandboxOrigin}/x`, { sandboxOrigin, resolve: loopback })).toBe('<a/>')
    expect(await refusal(`http://127.0.0.1:${port}/x`, { sandboxOrigin })).toBe('address_refused')
    expect(await refusal(`http://localhost:${port + 1}/x`, { sandboxOrigin })).toBe('address_refused')
    expect(await refusal(`http://localhost:${port}/x`)).toBe('address_refused')
    expect(await refusal(`${sandboxOrigin}/x`, { sandboxOrigin, resolve: to('10.0.0.1') })).toBe(
      'address_refused',
    )
    expect(asked).toHaveLength(1)
  })
})

describe('T-55 an answer that is not simply metadata', () => {
  async function answered(answer: RequestListener) {
    const { port, asked } = await listen(answer)
    const sandboxOrigin = `http://idp.test:${port}`
    return { code: await refusal(sandboxOrigin, { sandboxOrigin, resolve: loopback }), asked }
  }

  test.each(['http://169.254.169.254/', 'https://idp.example.com/', '/other'])(
    'a redirect to %s is not followed',
    async location => {
      const { code, asked } = await answered((_, response) => response.writeHead(302, { location }).end())
      expect(code).toBe('redirected')
      expect(asked).toHaveLength(1)
    },
  )

  test('an error, a packed body, another alphabet', async () => {
    expect((await answered((_, response) => response.writeHead(404).end())).code).toBe('bad_answer')
    expect((await answered((_, response) => response.writeHead(206).end('<a/>'))).code).toBe('bad_answer')
    const packed = gzipSync('<a/>')
    expect(
      (await answered((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)))
        .code,
    ).toBe('bad_answer')
    expect((await answered((_, response) => response.end(Buffer.from('<a/>', 'utf16le')))).code).toBe(
      'bad_encoding',
    )
  })

  test('T-54 too large, by its own word and without one', async () => {
    expect(
      (await answered((_, response) => response.writeHead(200, { 'content-length': 1e9 }).write('<'))).code,
    ).toBe('too_large')
    const endless = await answered((_, response) => {
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    expect(endless.code).toBe('too_large')
  })

  test('a broken connection and an unknown name', async () => {
    expect((await answered((_, response) => response.destroy())).code).toBe('unreachable')
    expect(
      (
        await answered((_, response) =>
          response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
        )
      ).code,
    ).toBe('unreachable')
    const resolve = async () => {
      throw new Error('ENOTFOUND')
    }
    expect(await refusal('https://idp.example.com/', { resolve })).toBe('unreachable')
  })

  test('T-54 one that never comes, never ends, or whose name never resolves, is not waited for', async () => {
    const timeoutMs = 50
    const silence = new Promise<never>(() => {})
    expect(await refusal('https://idp.example.com/', { resolve: () => silence, timeoutMs })).toBe(
      'unreachable',
    )
    for (const answer of [() => {}, (_, response) => response.write('<')] satisfies RequestListener[]) {
      const { port } = await listen(answer)
      const sandboxOrigin = `http://idp.test:${port}`
      expect(await refusal(sandboxOrigin, { sandboxOrigin, resolve: loopback, timeoutMs })).toBe(
        'unreachable',
      )
    }
  })

  test('is not waited for within a transaction', async () => {
    const guard = () => {
      throw new Error('within a transaction')
    }
    await expect(fetchMetadata('https://idp.example.com/', { guard })).rejects.toThrow('within a transaction')
  })
})
