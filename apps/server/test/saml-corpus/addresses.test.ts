import { expect, test } from 'vitest'
import { resolveByDns } from '../../src/integrations/saml/addresses.ts'
import { startDnsServer } from '../servers/dns-server.ts'

const four = Buffer.from([93, 184, 216, 34])
const six = Buffer.from([0x26, 0x06, 0x28, 0, ...Array(11).fill(0), 1])

test('T-55 resolves all IPv4 and IPv6 addresses of a name, and none of an unknown name', async () => {
  const server = await startDnsServer({
    'both.example': { A: [four], AAAA: [six] },
    'one.example': { AAAA: [six] },
    'none.example': {},
    'broken.example': null,
  })
  expect(await resolveByDns('both.example', [server])).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800::1', family: 6 },
  ])
  expect(await resolveByDns('one.example', [server])).toEqual([{ address: '2606:2800::1', family: 6 }])
  for (const name of ['none.example', 'broken.example', 'nobody.example'])
    await expect(resolveByDns(name, [server])).rejects.toThrow()
  // Of this one no server is asked.
  expect(await resolveByDns('localhost', ['127.0.0.1:9'])).toEqual([{ address: '127.0.0.1', family: 4 }])
})
