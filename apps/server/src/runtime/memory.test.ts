import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const memory = new URL('./memory.ts', import.meta.url).href

test('V8 knows the flags that freeStartMemory sets', () => {
  // V8 prints unknown flags to stderr and goes on.
  const program = `import { freeStartMemory } from '${memory}'; freeStartMemory()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
