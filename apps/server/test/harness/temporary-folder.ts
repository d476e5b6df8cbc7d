import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** An empty folder that goes with the test it is made in, or else with the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (TestRunner.getCurrentTest()) onTestFinished(remove)
  else afterAll(remove)
  return folder
}
