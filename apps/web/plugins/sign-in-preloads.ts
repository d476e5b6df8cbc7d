import type { Plugin, Rolldown } from 'vite'

const SCREEN = /\/src\/features\/auth\/SignInScreen\.tsx$/
const TEXTS = /\/src\/locales\/(\w+)\/(?:auth|global)\.json$/

/**
 * Names the sign-in page's own chunks to public/theme.js, which asks for them at once where that page is the first:
 * otherwise they would wait for the chunk that imports them. Every other page is spared them.
 */
export function signInPreloads(): Plugin {
  return {
    name: 'plinth:sign-in-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter(one => one.type === 'chunk')
        const screen = chunks.find(one => SCREEN.test(one.facadeModuleId ?? ''))
        if (!screen) throw new Error('The sign-in screen has no chunk of its own to be preloaded')
        const heavy = pathTo('signed-in', screen, chunks)
        if (heavy) throw new Error(`The sign-in page must do without what the signed-in need: ${heavy}`)
        // What the document names itself is on its way already.
        const code = [screen.fileName, ...screen.imports].filter(file => !html.includes(file))
        const lists = [` data-code="${addresses(code)}"`]
        for (const [tag, files] of textsByLanguage(chunks)) lists.push(` data-${tag}="${addresses(files)}"`)
        return html.replace('src="/theme.js"', found => found + lists.join(''))
      },
    },
  }
}

/** How a chunk comes to be loaded with another one, as a list of the files on the way; null when it is not. */
function pathTo(
  name: string,
  from: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
): string | null {
  const seen = new Set<Rolldown.OutputChunk>()
  function walk(chunk: Rolldown.OutputChunk): string | null {
    if (chunk.name === name) return chunk.fileName
    seen.add(chunk)
    for (const next of chunks.filter(one => chunk.imports.includes(one.fileName) && !seen.has(one))) {
      const found = walk(next)
      if (found) return `${chunk.fileName}, ${found}`
    }
    return null
  }
  return walk(from)
}

const addresses = (files: readonly string[]) => files.map(file => `/${file}`).join(' ')

function textsByLanguage(chunks: readonly Rolldown.OutputChunk[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { facadeModuleId, fileName } of chunks) {
    const tag = TEXTS.exec(facadeModuleId ?? '')?.[1]
    if (tag) found.set(tag, [...(found.get(tag) ?? []), fileName])
  }
  return found
}
