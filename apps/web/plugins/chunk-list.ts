import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** A chunk of the build: the modules in it, and the files that are loaded with it. */
type ChunkEntry = { file: string; modules: string[]; imports: string[]; styles: string[] }

/** Writes `.chunks.json` beside the build: scripts/page-size.ts computes from it what each page loads. */
export function chunkList(): Plugin {
  let root = ''
  return {
    name: 'plinth:chunk-list',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle: {
      // After the plugin that puts the names of the style sheets on the chunks.
      order: 'post',
      handler(_options, bundle) {
        const chunks: ChunkEntry[] = Object.values(bundle)
          .filter(file => file.type === 'chunk')
          .map(({ fileName, moduleIds, imports, viteMetadata }) => ({
            file: fileName,
            modules: moduleIds.map(id => relative(root, id)),
            imports,
            styles: [...(viteMetadata?.importedCss ?? [])],
          }))
        this.emitFile({ type: 'asset', fileName: '.chunks.json', source: JSON.stringify(chunks) })
      },
    },
  }
}
