import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pngImage } from '../../../test/factories/images.ts'
import { temporaryFolder } from '../../../test/harness/temporary-folder.ts'

test('[rule:profile.avatar] an image is processed when the installation folder has spaces and special characters', async () => {
  const folder = join(temporaryFolder(), 'Our product, 100% ü#1')
  const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  for (const path of ['integrations/images', 'lib/refusal.ts'])
    cpSync(from(`../../${path}`), join(folder, path), { recursive: true })
  symlinkSync(from('../../../../../node_modules'), join(folder, 'node_modules'))
  const program = `
    import { buffer } from 'node:stream/consumers'
    import { openImages } from './integrations/images/images.ts'
    const { kind } = await openImages().processAvatar(await buffer(process.stdin), 'avatar')
    console.log(kind)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript']
  const said = execFileSync(process.execPath, [...flags, '-e', program], {
    cwd: folder,
    input: await pngImage(),
    encoding: 'utf8',
  })
  expect(said.trim()).toBe('png')
})
