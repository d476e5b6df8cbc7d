import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { startDnsServer, txtRecord } from '../../test/servers/dns-server.ts'
import { DnsUnavailable, openDns } from './dns.ts'

const close: (() => void)[] = []
afterAll(() => {
  for (const each of close) each()
})

const guard = () => {}

describe('TXT records', () => {
  test('over DNS: joins the pieces of a record, returns none for an unknown name, throws without an answer', async () => {
    const server = await startDnsServer({
      'known.example': { TXT: [txtRecord('plinth-domain-', 'verification=1'), txtRecord('v=spf1 -all')] },
      'broken.example': null,
    })
    const dns = openDns({ url: null, servers: [server], guard })
    expect((await dns.txt('known.example')).sort()).toEqual(['plinth-domain-verification=1', 'v=spf1 -all'])
    expect(await dns.txt('nobody.example')).toEqual([])
    await expect(dns.txt('broken.example')).rejects.toThrow(DnsUnavailable)
  })

  test('over HTTP: reads the JSON answer and throws for any other answer', async () => {
    const server = createServer((request, reply) => {
      const name = new URL(request.url ?? '/', 'http://x').searchParams.get('name')
      if (name === 'broken.example') reply.writeHead(503)
      if (name === 'elsewhere.example') reply.writeHead(302, { location: 'http://127.0.0.1:1/' })
      reply.end(name === 'odd.example' ? '{"txt":"x"}' : JSON.stringify({ txt: [`of ${name}`] }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    close.push(() => server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/dns`
    const dns = openDns({ url, guard })
    expect(await dns.txt('a&b.example')).toEqual(['of a&b.example'])
    for (const name of ['broken.example', 'elsewhere.example', 'odd.example'])
      await expect(dns.txt(name)).rejects.toThrow(DnsUnavailable)
  })

  test('a lookup inside a transaction throws before any query is sent', async () => {
    const inside = () => {
      throw new Error('inside a transaction')
    }
    await expect(openDns({ url: null, guard: inside }).txt('x.example')).rejects.toThrow(
      'inside a transaction',
    )
  })
})
