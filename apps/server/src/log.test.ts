import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A process all of whose threads have other work for a while, as with passwords, when it logs its last lines. */
const busy = `
  import { pbkdf2 } from 'node:crypto'
  import { setTimeout as wait } from 'node:timers/promises'
  import { closeOutput, makeLog, openOutput } from '${new URL('./log.ts', import.meta.url)}'
  const output = openOutput()
  const log = makeLog('info', output)
  for (let i = 0; i < 8; i++) pbkdf2('a', 'b', 20_000, 64, 'sha512', () => {})
  for (const words of ['first', 'second', 'third']) {
    log.info(words)
    await wait(1)
  }
  log.info('last')
  await closeOutput(output)
  process.exit(0)
`

test('a process that ends writes its lines in their order, and all of them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', busy])
  const words = stdout.match(/(?<="msg":")\w+/g)
  expect(words).toEqual(['first', 'second', 'third', 'last'])
})
