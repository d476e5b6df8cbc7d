import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const memory = new URL('./memory.ts', import.meta.url).href

test.each(['giveBackMemory', 'keepCompiled'])('V8 knows what %s asks it for', name => {
  // A wish that it does not know is complained of, and nothing else.
  const program = `import { ${name} } from '${memory}'; ${name}()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
