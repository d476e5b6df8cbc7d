import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { requestLog } from './request-log.ts'

function setUp() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'trace', base: undefined }, { write: line => lines.push(JSON.parse(line)) })
  return { log, lines, child: vi.spyOn(log, 'child') }
}

test('a request that writes nothing makes no log of its own', () => {
  const { log, child } = setUp()
  expect(requestLog(log, { reqId: 'one' }, {}).level).toBe('trace')
  expect(child).not.toHaveBeenCalled()
})

test('each log line of a request has its id, at each level and in child loggers', () => {
  const { log, lines, child } = setUp()
  const own = requestLog(log, { reqId: 'one' }, {})
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
  for (const level of levels) own[level]({ at: level }, 'told')
  own.silent('not this')
  own.child({ part: 'two' }).info('and this')
  expect(lines.map(({ at }) => at)).toEqual([...levels, undefined])
  expect(lines.map(({ level }) => level)).toEqual([60, 50, 40, 30, 20, 10, 30])
  expect(lines.every(({ reqId }) => reqId === 'one')).toBe(true)
  expect(lines.at(-1)).toMatchObject({ part: 'two', msg: 'and this' })
  // Once for the request, once for the part of it.
  expect(child).toHaveBeenCalledTimes(2)
})

test('requests of one server have names of one kind, and no two the same', async () => {
  const lines: { reqId?: string; refusal?: string }[] = []
  const { app } = await makeTestApp({ LOG_LEVEL: 'info' }, { write: line => lines.push(JSON.parse(line)) })
  for (let n = 0; n < 3; n++) await app.inject({ url: '/api/account/users' })
  const names = lines.flatMap(({ reqId, refusal }) => (refusal ? [String(reqId)] : []))
  expect(new Set(names).size).toBe(3)
  expect(new Set(names.map(name => name.replace(/-\d+$/, ''))).size).toBe(1)
  expect(names[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-\d+$/)
})
