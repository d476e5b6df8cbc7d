import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { NoNameServer, openDns } from './dns.ts'

const close: (() => void)[] = []
afterAll(() => {
  for (const each of close) each()
})

/** A name server of three names: one with records, one that it fails for, and no other. */
async function nameServer(records: string[][]) {
  const socket = createSocket('udp4')
  socket.on('message', (asked, from) => {
    const name = asked.subarray(12).toString('latin1')
    const found = name.includes('known')
    const code = found ? 0 : name.includes('broken') ? 2 : 3
    const answers = found ? records.map(record) : []
    const header = Buffer.from([
      asked[0] ?? 0,
      asked[1] ?? 0,
      0x81,
      0x80 | code,
      0,
      1,
      0,
      answers.length,
      0,
      0,
      0,
      0,
    ])
    // The question ends five bytes after its name's last length, which is zero.
    const question = asked.subarray(12, asked.indexOf(0, 12) + 5)
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  close.push(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** TXT, class IN, a minute; each piece behind its length. */
function record(pieces: string[]): Buffer {
  const data = Buffer.concat(pieces.flatMap(piece => [Buffer.from([piece.length]), Buffer.from(piece)]))
  return Buffer.concat([Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
}

const guard = () => {}

describe('TXT records', () => {
  test('by the machine’s name servers: pieces are one text, an unknown name has none, silence is an error', async () => {
    const server = await nameServer([['plinth-domain-', 'verification=1'], ['v=spf1 -all']])
    const dns = openDns({ url: null, servers: [server], guard })
    expect((await dns.txt('known.example')).sort()).toEqual(['plinth-domain-verification=1', 'v=spf1 -all'])
    expect(await dns.txt('nobody.example')).toEqual([])
    await expect(dns.txt('broken.example')).rejects.toThrow(NoNameServer)
  })

  test('by an address that answers JSON; what is no such answer is an error', async () => {
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
      await expect(dns.txt(name)).rejects.toThrow(NoNameServer)
  })

  test('nobody is asked inside a transaction', async () => {
    const inside = () => {
      throw new Error('inside a transaction')
    }
    await expect(openDns({ url: null, guard: inside }).txt('x.example')).rejects.toThrow(
      'inside a transaction',
    )
  })
})
