import { posix } from 'node:path'
import { proseOf } from './indirect-phrases.ts'

export type FileReference = { file: string; line: number; name: string }

const name =
  /(?<!['"\w/@*$}>….:-])(?:\.{1,2}\/)*(?:[\w.-]+\/)*\w[\w.-]*\.(?:tsx?|sql|md|css|mjs|cjs|yml)(?![\w*/]|\.\w)/g
const link = /\]\((?!https?:|mailto:|#)(?<target>[^)#\s]+)/g

/** File names in the comments of code, and links and file names in Markdown. */
export function referencesIn(file: string, source: string): FileReference[] {
  const extension = posix.extname(file)
  if (extension !== '.md')
    return proseOf({ path: file, text: source }).flatMap(({ line, text }) =>
      [...text.matchAll(name)].map(match => ({
        file,
        line: line + text.slice(0, match.index).split('\n').length - 1,
        name: match[0],
      })),
    )
  const found = [...source.matchAll(name)].map(match => ({ index: match.index, name: match[0] }))
  const links = [...source.matchAll(link)].map(match => ({
    index: match.index,
    name: posix.normalize(`./${match.groups?.target ?? ''}`),
  }))
  return [...found, ...links].map(({ index, name }) => ({
    file,
    line: source.slice(0, index).split('\n').length,
    name,
  }))
}

/**
 * References to files that do not exist. A name may be relative to the file, or the end of a path in the repository:
 * `mount.ts` and `endpoint/mount.ts` both mean `apps/server/src/endpoint/mount.ts`.
 */
export function brokenReferences(references: FileReference[], tracked: string[]): FileReference[] {
  const known = new Set(tracked.flatMap(endsOf))
  return references.filter(({ file, name }) => {
    const clean = name.replace(/\/$/, '')
    return (
      !known.has(clean.replace(/^(?:\.{1,2}\/)+/, '')) && !known.has(posix.join(posix.dirname(file), clean))
    )
  })
}

/** The path of a file and of its folders, each from every folder on. */
function endsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.flatMap((_, start) =>
    parts.slice(start).map((_, count) => parts.slice(start, start + count + 1).join('/')),
  )
}
