import type { Plugin, Rolldown } from 'vite'

const SCREEN = /\/src\/features\/sign-in\/SignInScreen\.tsx$/
const TEXTS = /\/src\/locales\/(\w+)\/(?:auth|global)\.json$/

/**
 * Lists the chunks of the sign-in page for public/theme.js, which preloads them when that page is opened
 * first. Without the list the browser finds them only after it has read the chunk that imports them.
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
        // The document already names the other files.
        const code = loadedWith(screen, chunks).filter(file => !html.includes(file))
        const lists = [` data-code="${addresses(code)}"`]
        for (const [tag, files] of textsByLanguage(chunks)) lists.push(` data-${tag}="${addresses(files)}"`)
        return html.replace('src="/theme.js"', found => found + lists.join(''))
      },
    },
  }
}

/** The chunk and all chunks that it imports, directly or indirectly. */
function loadedWith(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const files = new Set([chunk.fileName])
  for (const file of files)
    for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next)
  return [...files]
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
