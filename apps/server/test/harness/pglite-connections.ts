import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

const runLater = setImmediate
const byte = (letter: string) => letter.charCodeAt(0)
const rollback = Buffer.from('Q\0\0\0\rrollback\0', 'latin1')

/** The part of a socket that `pg` uses, connected to an in-process engine. */
class PgliteSocket extends Duplex {
  readonly #exchange: PgliteConnections
  /** Sent bytes that are not processed yet. */
  sent: Buffer[] = []

  constructor(exchange: PgliteConnections) {
    super({ allowHalfOpen: false })
    this.#exchange = exchange
  }
  connect() {
    process.nextTick(() => this.emit('connect'))
  }
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}

  override _read() {}
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this._writev([{ chunk }], done)
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    for (const { chunk } of chunks) this.sent.push(chunk)
    this.#exchange.call(this)
    done()
  }
  override _final(done: () => void) {
    this.push(null)
    done()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#exchange.hangUp(this)
    done(error)
  }
}

/**
 * Connections to an in-process PGlite engine. While one connection is in a transaction, the others wait.
 */
export class PgliteConnections {
  readonly #engine: PGlite
  readonly #open = new Set<PgliteSocket>()
  #waiting: PgliteSocket[] = []
  #inTransaction: PgliteSocket | null = null
  #isSummoned = false
  #isClosed = false

  constructor(engine: PGlite) {
    this.#engine = engine
  }

  connect(): PgliteSocket {
    if (this.#isClosed) throw new Error('The database is no longer lent')
    const line = new PgliteSocket(this)
    this.#open.add(line)
    return line
  }

  /** Closes all connections and refuses new ones. */
  close() {
    this.#isClosed = true
    for (const line of this.#open) line.destroy(new Error('The database is no longer lent'))
  }

  call(line: PgliteSocket) {
    if (!this.#waiting.includes(line)) this.#waiting.push(line)
    this.#summon()
  }

  hangUp(line: PgliteSocket) {
    this.#open.delete(line)
    this.#waiting = this.#waiting.filter(other => other !== line)
    if (this.#inTransaction !== line) return
    this.#ask(rollback)
    this.#inTransaction = null
    this.#summon()
  }

  #summon() {
    if (this.#isSummoned) return
    this.#isSummoned = true
    runLater(() => {
      this.#isSummoned = false
      const line = this.#waiting.find(one => this.#inTransaction === null || this.#inTransaction === one)
      if (!line) return
      this.#waiting = this.#waiting.filter(other => other !== line)
      this.#answer(line)
      this.#summon()
    })
  }

  #answer(line: PgliteSocket) {
    const sent = Buffer.concat(line.sent)
    const end = endOfMessages(sent)
    line.sent = end < sent.length ? [sent.subarray(end)] : []
    if (end === 0) return
    const answer = this.#ask(sent.subarray(0, end))
    // The last word of an answer is whether a transaction is open.
    if (answer.at(-6) === byte('Z')) this.#inTransaction = answer.at(-1) === byte('I') ? null : line
    if (answer.length > 0) line.push(answer)
  }

  #ask(messages: Uint8Array): Buffer {
    const said: Buffer[] = []
    // It has answered when it returns: it only waits for files, of which it has none.
    void this.#engine.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: data => said.push(Buffer.from(data)),
    })
    return Buffer.concat(said)
  }
}

/** Where the last whole message ends. The first one of a connection has no letter before its length. */
function endOfMessages(sent: Buffer): number {
  let end = 0
  while (end + 5 <= sent.length) {
    const next = end + (sent[end] === 0 ? sent.readInt32BE(end) : 1 + sent.readInt32BE(end + 1))
    if (next > sent.length) break
    end = next
  }
  return end
}
