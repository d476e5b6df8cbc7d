import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'

const folders: string[] = []
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Says that it is up, counts the signals it gets, and ends on the first. */
const DRAINS = (name: string) =>
  `for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => { console.log('${name} got ' + s); process.exit(0) });
   setInterval(() => {}, 1000); console.log('${name} up')`

/** Runs a program that supervises two children, as npm start does. */
function family(main: string, helper: string, underNpm = false) {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-family-'))
  folders.push(folder)
  const from = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href)
  const program = join(folder, 'parent.mjs')
  writeFileSync(
    program,
    `import { startChild } from ${from('children.ts')}
     import { supervise } from ${from('supervise.ts')}
     process.exitCode = await supervise([
       startChild('Main', ['-e', ${JSON.stringify(main)}]),
       startChild('Helper', ['-e', ${JSON.stringify(helper)}]),
     ])`,
  )
  const command = underNpm
    ? ['sh', '-c', `"${process.execPath}" "${program}"; true`]
    : [process.execPath, program]
  const parent = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_lifecycle_event: underNpm ? 'start' : undefined },
  })
  started.push(parent)
  let output = ''
  const heard = new Map<string, () => void>()
  for (const stream of [parent.stdout, parent.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const [wanted, resolve] of heard) if (output.includes(wanted)) resolve()
    })
  }
  return {
    parent,
    says: (wanted: string) =>
      output.includes(wanted) ? Promise.resolve() : new Promise<void>(resolve => heard.set(wanted, resolve)),
    // The pipe closes when the parent and both children have ended.
    gone: once(parent, 'close').then(([code]) => ({ code, output })),
  }
}

describe('children of npm start', () => {
  test('a signal reaches the main child once, and the helper ends after it', async () => {
    const { parent, says, gone } = family(DRAINS('main'), DRAINS('helper'))
    await Promise.all([says('main up'), says('helper up')])
    parent.kill('SIGINT')
    parent.kill('SIGTERM')
    const { code, output } = await gone
    expect(code).toBe(0)
    expect(output.match(/main got/g)).toHaveLength(1)
    expect(output.indexOf('helper got')).toBeGreaterThan(output.indexOf('main got'))
  })

  test('the exit code of the main child is passed on, and the helper ends', async () => {
    const { code, output } = await family("console.log('main ends'); process.exitCode = 3", DRAINS('helper'))
      .gone
    expect(code).toBe(3)
    expect(output).toContain('main ends')
  })

  test('a main child that is killed from outside is a failure', async () => {
    const { code } = await family("process.kill(process.pid, 'SIGKILL')", DRAINS('helper')).gone
    expect(code).toBe(1)
  })

  test('a helper that ends by itself stops the rest, and says so', async () => {
    const { code, output } = await family(DRAINS('main'), 'process.exitCode = 4').gone
    expect(code).toBe(1)
    expect(output).toContain('Helper ended by itself (exit code 4)')
  })

  test('under npm, the end of the shell in between is a signal too', async () => {
    // What npm makes: a shell that waits for us. It dies of the signal and passes nothing on.
    const { parent, says, gone } = family(DRAINS('main'), DRAINS('helper'), true)
    await Promise.all([says('main up'), says('helper up')])
    parent.kill('SIGTERM')
    const { output } = await gone
    expect(output).toContain('main got SIGTERM')
    expect(output).toContain('helper got SIGTERM')
  })

  test('no process is left when the parent is killed', async () => {
    const { parent, says, gone } = family(DRAINS('main'), DRAINS('helper'))
    await Promise.all([says('main up'), says('helper up')])
    parent.kill('SIGKILL')
    const { output } = await gone
    expect(output).toContain('main got SIGTERM')
    expect(output).toContain('helper got SIGTERM')
  })
})
