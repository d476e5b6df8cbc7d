import type { Plugin } from 'vite'

type Chunk = { fileName: string; imports: string[] }

/**
 * Ends the build when chunks import each other in a circle: whichever of them runs first finds the other's functions
 * missing, and every page that needs both is blank. Tests of modules can't see it, for only the build cuts chunks.
 */
export function noCircles(): Plugin {
  return {
    name: 'plinth:no-circles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
      const circle = circleOf(chunks)
      if (circle) this.error(`Chunks import each other in a circle: ${circle.join(' -> ')}`)
    },
  }
}

/** One circle of static imports, or null. */
export function circleOf(chunks: Chunk[]): string[] | null {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const done = new Set<string>()
  function visit(file: string, way: string[]): string[] | null {
    const at = way.indexOf(file)
    if (at >= 0) return [...way.slice(at), file]
    if (done.has(file)) return null
    for (const next of importsOf.get(file) ?? []) {
      const circle = visit(next, [...way, file])
      if (circle) return circle
    }
    done.add(file)
    return null
  }
  for (const file of importsOf.keys()) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return null
}
