import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
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

test('each line of a request has its name, at each level and in what is made of it', () => {
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
