import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { closeAtEnd } from '../harness.ts'

const types = { 1: 'A', 16: 'TXT', 28: 'AAAA' } as const
type Records = Partial<Record<(typeof types)[keyof typeof types], Buffer[]>>

/**
 * A name server of this machine.
 * @param names the records of each name it knows; null where it fails. It knows no other.
 * @returns its address, as a resolver takes it
 */
export async function startDnsServer(names: Record<string, Records | null>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (asked, from) => {
    // The question ends five bytes after its name's last length, which is zero.
    const end = asked.indexOf(0, 12) + 5
    const type = types[asked.readUInt16BE(end - 4) as keyof typeof types]
    const records = names[nameIn(asked)]
    const answers = records?.[type]?.map(data => answer(asked.readUInt16BE(end - 4), data)) ?? []
    const code = records ? 0 : records === null ? 2 : 3
    const header = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, answers.length, 0, 0, 0, 0])
    asked.copy(header, 0, 0, 2)
    socket.send(Buffer.concat([header, asked.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAtEnd([() => socket.close()])
  return `127.0.0.1:${socket.address().port}`
}

function nameIn(asked: Buffer): string {
  const labels: string[] = []
  for (let at = 12; asked[at]; at += (asked[at] ?? 0) + 1)
    labels.push(asked.subarray(at + 1, at + 1 + (asked[at] ?? 0)).toString('latin1'))
  return labels.join('.').toLowerCase()
}

/** Of the name that was asked for, class IN, a minute. */
const answer = (type: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])

/** Each piece behind its length. */
export const txtRecord = (...pieces: string[]) =>
  Buffer.concat(pieces.flatMap(piece => [Buffer.from([piece.length]), Buffer.from(piece)]))
