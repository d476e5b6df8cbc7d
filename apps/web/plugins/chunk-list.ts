import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** A chunk of the build with its modules, imported chunks and style sheets. */
type ChunkEntry = { file: string; modules: string[]; imports: string[]; styles: string[] }

/** Writes `.chunks.json` beside the build; scripts/page-size.ts computes the size of each page from it. */
export function chunkList(): Plugin {
  let root = ''
  return {
    name: 'plinth:chunk-list',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle: {
      // Runs after the plugin that adds the style sheets to the chunks.
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
