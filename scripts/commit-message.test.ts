import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const hook = join(import.meta.dirname, '../.githooks/commit-msg')

/** Runs the hook on a message as git does, with the path of a file that holds it. */
function checkMessage(message: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-commit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'COMMIT_EDITMSG')
  writeFileSync(file, message)
  // A UTF-8 locale, so that bash counts characters and not bytes.
  const { status, stderr } = spawnSync(hook, [file], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  return { accepted: status === 0, reason: stderr.trim() }
}

const ofLength = (length: number) => `billing: ${'x'.repeat(length - 'billing: '.length)}`

test.each([
  ['a short subject', 'billing: retry failed refunds\n'],
  ['72 characters', ofLength(72)],
  ['72 characters that are not ASCII', `web: ${'ü'.repeat(67)}`],
  ['an area with a folder', 'server/db: set the pool size\n'],
  ['a long body', `billing: retry failed refunds\n\n${'x'.repeat(200)}\n`],
  ['comments of git', 'billing: retry failed refunds\n# Please enter the commit message\n'],
  ['a merge', `Merge branch '${'x'.repeat(80)}'\n`],
  ['a revert', `Revert "${ofLength(72)}"\n`],
  ['a fixup', `fixup! ${ofLength(72)}\n`],
])('the commit-msg hook accepts %s', (_, message) => {
  expect(checkMessage(message)).toEqual({ accepted: true, reason: '' })
})

test.each([
  ['73 characters', ofLength(73), /73 characters, at most 72/],
  ['no area', 'Retry failed refunds\n', /begin the subject with its area/],
  ['an area in capitals', 'Billing: retry failed refunds\n', /begin the subject with its area/],
  ['no text after the area', 'billing: \n', /begin the subject with its area/],
  ['no space after the colon', 'billing:retry failed refunds\n', /begin the subject with its area/],
  ['no message', '\n', /begin the subject with its area/],
])('the commit-msg hook refuses %s', (_, message, reason) => {
  const result = checkMessage(message)
  expect(result.accepted).toBe(false)
  expect(result.reason).toMatch(reason)
})
