import type { Plugin } from 'vite'

const FAMILY = /\/src\/ui\/chart\/(Chart(?:Lines|Bars|Slices))\.tsx$/
/** Marks a copy: what it imports is a copy too. */
const COPY = /\?(Chart\w+)$/

/**
 * Gives each family of charts its own copy of the chart library, so that a page of lines doesn't carry what bars and
 * slices are drawn with: a bundler drops what nobody uses of a module, but never cuts one module in two.
 */
export function chartFamilies(): Plugin {
  return {
    name: 'plinth:chart-families',
    // Before the builder's own resolver, which would answer first.
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
