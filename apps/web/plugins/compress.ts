import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|html|svg|json|txt|webmanifest|xml)$/
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes .br and .gz files beside every text file of the build, so that the server need not compress. */
export function compress(): Plugin {
  let folder = ''
  return {
    name: 'plinth:compress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    // In closeBundle, because public/ and index.html are not written yet in writeBundle.
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter(name => TEXT.test(name)).map(name => pack(join(folder, name))))
    },
  }
}

async function pack(file: string): Promise<void> {
  const text = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  const [small, older] = await Promise.all([brotli(text, { params }), zip(text, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, older)])
}
