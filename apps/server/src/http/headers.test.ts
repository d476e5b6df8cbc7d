import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { hostCheck } from './headers.ts'

const config = parseConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'plinth-headers-')) })

test('a public address is one host, in capitals and with the port of its scheme too, and nothing else is [T-74]', () => {
  const check = hostCheck({ ...config, env: 'production', publicUrl: 'https://app.plinth.example' })
  const served = (host: string | undefined, url = '/login') => {
    try {
      check({ headers: { host }, url, routeOptions: {} } as FastifyRequest) // as: all that is read
      return true
    } catch {
      return false
    }
  }
  for (const host of ['app.plinth.example', 'APP.plinth.example', 'app.plinth.example:443'])
    expect([host, served(host)]).toEqual([host, true])
  for (const host of ['app.plinth.example:80', 'app.plinth.example.', 'localhost', '127.0.0.1', undefined])
    expect([host, served(host)]).toEqual([host, false])
  expect(served('app.plinth.example', 'https://app.plinth.example/login')).toBe(true)
  expect(served('app.plinth.example', 'https://evil.example/login')).toBe(false)
  expect(served('app.plinth.example', '*')).toBe(false)
  expect(served('10.0.0.7:5000', '/ready')).toBe(true)
})
