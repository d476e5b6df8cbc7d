import type { Plugin } from 'vite'

type Chunk = { fileName: string; imports: string[] }

/**
 * Fails the build when chunks import each other in a cycle: the first one to run would miss the other's
 * functions, and pages that need both would be blank. Module tests cannot find this, because chunks exist
 * only in the build.
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

/** A cycle of static imports, or null. */
export function circleOf(chunks: Chunk[]): string[] | null {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const done = new Set<string>()
  function visit(file: string, path: string[]): string[] | null {
    const at = path.indexOf(file)
    if (at >= 0) return [...path.slice(at), file]
    if (done.has(file)) return null
    for (const next of importsOf.get(file) ?? []) {
      const circle = visit(next, [...path, file])
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
