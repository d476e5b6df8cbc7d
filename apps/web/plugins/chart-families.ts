import type { Plugin } from 'vite'

const FAMILY = /\/src\/ui\/chart\/(Chart(?:Lines|Bars|Slices))\.tsx$/
/** Marks a copy: the modules that it imports are copied too. */
const COPY = /\?(Chart\w+)$/

/**
 * Gives each kind of chart its own copy of the chart library, so that a page with lines does not load the
 * code for bars and slices. A bundler drops unused exports but does not split one module into several chunks.
 */
export function chartFamilies(): Plugin {
  return {
    name: 'plinth:chart-families',
    // Must run before the built-in resolver.
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer = '', options) {
      const family = source === 'chart.js' ? FAMILY.exec(importer)?.[1] : COPY.exec(importer)?.[1]
      if (!family) return undefined
      const found = await this.resolve(source, importer.replace(COPY, ''), { ...options, skipSelf: true })
      return found && { ...found, id: `${found.id}?${family}` }
    },
  }
}
