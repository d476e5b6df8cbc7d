import { type Node, parse } from './parse.ts'

/** Letters of every kind that our patterns tell apart. */
const letters = [...`a0 .-/@:_A\t\n"'<>=?%+(é\u0301\u200c,;!}`]
/** Endings that make an engine backtrack. */
const ends = ['', '\u0000', '!', '\n']
/** Fewer repetitions show no growth. */
const often = 10

/** `least`: as often as it has to come for the pattern to go on at all. */
type Pumped = { before: string; again: string; least: number }

/** Texts that make a pattern repeat each part of it that it repeats, `times` times, and then fail. */
export function attacks(pattern: RegExp): ((times: number) => string)[] {
  const tree = parse(pattern)
  const seen = new Map<string, Pumped>()
  for (let shift = 0; shift < letters.length; shift++)
    for (const pumped of pumps(tree, shift)) seen.set(JSON.stringify(pumped), pumped)
  return [...seen.values()].flatMap(({ before, again, least }) =>
    ends.flatMap(end => [
      (times: number) => before + again.repeat(least + times) + end,
      // Begun again and again, for who looks everywhere in a text.
      ...(before ? [(times: number) => (before + again).repeat(times) + end] : []),
    ]),
  )
}

/** The shortest text that a node takes, of letters from a place in the list on. */
function witness(node: Node, shift: number): string {
  switch (node.kind) {
    case 'char':
      return [...letters.slice(shift), ...letters].find(node.test) ?? anyOf(node.test)
    case 'group':
      return witness(node.node, shift)
    case 'all':
      return node.nodes.map(each => witness(each, shift)).join('')
    case 'one':
      return witness(node.nodes[shift % node.nodes.length] as Node, shift) // as: within its length
    case 'repeat':
      return witness(node.node, shift).repeat(node.least)
    default:
      return ''
  }
}

function anyOf(test: (letter: string) => boolean): string {
  for (let code = 33; code < 0x3000; code++)
    if (test(String.fromCharCode(code))) return String.fromCharCode(code)
  return ''
}

function pumps(node: Node, shift: number): Pumped[] {
  switch (node.kind) {
    case 'group':
    case 'look':
      return pumps(node.node, shift)
    case 'one':
      return node.nodes.flatMap(each => pumps(each, shift))
    case 'all':
      return node.nodes.flatMap((each, n) => {
        const before = witness({ kind: 'all', nodes: node.nodes.slice(0, n) }, shift)
        return pumps(each, shift).map(pumped => ({ ...pumped, before: before + pumped.before }))
      })
    case 'repeat': {
      const again = witness(node.node, shift)
      const here = node.most >= often && again ? [{ before: '', again, least: node.least }] : []
      return [...here, ...pumps(node.node, shift)]
    }
    default:
      return []
  }
}
