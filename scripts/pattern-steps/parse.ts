/** A regular expression as a tree: as much of the language as ours use. */
export type Node =
  | { kind: 'char'; test: (letter: string) => boolean }
  | { kind: 'edge'; at: '^' | '$' | 'b' | 'B' }
  | { kind: 'look'; node: Node; behind: boolean; not: boolean }
  | { kind: 'group'; node: Node; number: number | null }
  | { kind: 'again'; number: number }
  | { kind: 'all'; nodes: Node[] }
  | { kind: 'one'; nodes: Node[] }
  | { kind: 'repeat'; node: Node; least: number; most: number; lazy: boolean }

export function parse({ source, flags }: RegExp): Node {
  let at = 0
  let groups = 0
  const own = flags.replace(/[gymd]/g, '')
  const rest = () => source.slice(at)

  /** Takes what fits here, or nothing. */
  function take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(rest())
    if (found) at += found[0].length
    return found
  }
  function choice(): Node {
    const nodes = [sequence()]
    while (take(/^\|/)) nodes.push(sequence())
    return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'one', nodes } // as: just pushed
  }
  function sequence(): Node {
    const nodes: Node[] = []
    while (at < source.length && !/^[|)]/.test(rest())) nodes.push(repeated(atom()))
    return { kind: 'all', nodes }
  }
  function repeated(node: Node): Node {
    const found = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/)
    if (!found) return node
    const [, sign, low, comma, high, lazy] = found
    const signs: Record<string, [number, number]> = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }
    const counted: [number, number] = [Number(low), high ? Number(high) : comma ? Infinity : Number(low)]
    const [least, most] = signs[sign ?? ''] ?? counted
    return { kind: 'repeat', node, least, most, lazy: lazy === '?' }
  }
  function atom(): Node {
    if (take(/^\^/)) return { kind: 'edge', at: '^' }
    if (take(/^\$/)) return { kind: 'edge', at: '$' }
    const edge = take(/^\\([bB])/)
    if (edge) return { kind: 'edge', at: edge[1] as 'b' | 'B' } // as: what the pattern takes
    const again = take(/^\\([1-9])/)
    if (again) return { kind: 'again', number: Number(again[1]) }
    const look = take(/^\(\?(<?)([=!])/)
    if (look) return closed({ kind: 'look', node: choice(), behind: look[1] === '<', not: look[2] === '!' })
    if (take(/^\(\?:/)) return closed({ kind: 'group', node: choice(), number: null })
    if (take(/^\((?:\?<\w+>)?/)) {
      groups++
      const number = groups
      return closed({ kind: 'group', node: choice(), number })
    }
    const letter = take(
      /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|.)/su,
    )
    if (!letter) throw new Error(`Not understood: ${rest()}`)
    const one = new RegExp(`^(?:${letter[0]})$`, own)
    return { kind: 'char', test: text => one.test(text) }
  }
  function closed(node: Node): Node {
    if (!take(/^\)/)) throw new Error(`Not closed: ${source}`)
    return node
  }

  const tree = choice()
  if (at < source.length) throw new Error(`Left over: ${rest()}`)
  return tree
}
