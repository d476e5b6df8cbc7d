import { type Node, parse } from './parse.ts'

type Next = (at: number) => boolean

/** More than that is no answer any more, whatever it grows with. */
export const tooMany = 2_000_000

/**
 * How many steps a backtracking engine takes until it knows whether a text has the pattern in it. Counted, not timed: the
 * same on every machine, and never by chance.
 */
export function stepsOf(pattern: RegExp, text: string): number {
  let steps = 0
  try {
    look(pattern, text, () => {
      steps++
      if (steps > tooMany) throw new RangeError('too many steps')
    })
  } catch (error) {
    // Too deep is too many as well.
    if (!(error instanceof RangeError)) throw error
    return tooMany
  }
  return steps
}

/** What the engine here finds is what the real one finds, or its steps say nothing. */
export const finds = (pattern: RegExp, text: string): boolean => look(pattern, text, () => {})

function look(pattern: RegExp, text: string, step: () => void): boolean {
  const tree = parse(pattern)
  const letters = pattern.unicode ? [...text] : text.split('')
  const last = pattern.sticky || opens(tree) ? 0 : letters.length
  for (let start = 0; start <= last; start++)
    if (matches(tree, start, letters, pattern.multiline, step)) return true
  return false
}

/** Begins with the text's own beginning: no engine looks for it elsewhere. */
function opens(node: Node): boolean {
  if (node.kind === 'edge') return node.at === '^'
  if (node.kind === 'group') return opens(node.node)
  if (node.kind === 'one') return node.nodes.every(opens)
  return node.kind === 'all' && node.nodes[0] !== undefined && opens(node.nodes[0])
}

function matches(tree: Node, start: number, letters: string[], lines: boolean, step: () => void): boolean {
  const held = new Map<number, [number, number]>()
  const isWord = (at: number) => /\w/.test(letters[at] ?? '')
  const isEnd = (at: number) => at === letters.length || (lines && letters[at] === '\n')
  const isStart = (at: number) => at === 0 || (lines && letters[at - 1] === '\n')

  function go(node: Node, at: number, next: Next): boolean {
    step()
    switch (node.kind) {
      case 'char':
        return at < letters.length && node.test(letters[at] ?? '') && next(at + 1)
      case 'edge':
        if (node.at === '^') return isStart(at) && next(at)
        if (node.at === '$') return isEnd(at) && next(at)
        return (isWord(at - 1) !== isWord(at)) === (node.at === 'b') && next(at)
      case 'look': {
        // Those behind are one letter long, as ours are.
        const seen = node.behind
          ? at > 0 && go(node.node, at - 1, end => end === at)
          : go(node.node, at, () => true)
        return seen !== node.not && next(at)
      }
      case 'group': {
        const { number } = node
        if (number === null) return go(node.node, at, next)
        const before = held.get(number)
        const done = go(node.node, at, end => {
          const old = held.get(number)
          held.set(number, [at, end])
          if (next(end)) return true
          if (old) held.set(number, old)
          return false
        })
        if (!done && before) held.set(number, before)
        return done
      }
      case 'again': {
        const [from, to] = held.get(node.number) ?? [0, 0]
        for (let n = 0; n < to - from; n++) {
          step()
          if (letters[at + n] !== letters[from + n]) return false
        }
        return next(at + to - from)
      }
      case 'all':
        return each(node.nodes, 0, at, next)
      case 'one':
        return node.nodes.some(one => go(one, at, next))
      case 'repeat':
        return repeat(node, 0, at, next)
    }
  }
  const each = (nodes: Node[], n: number, at: number, next: Next): boolean => {
    const node = nodes[n]
    return node ? go(node, at, end => each(nodes, n + 1, end, next)) : next(at)
  }
  function repeat(node: Extract<Node, { kind: 'repeat' }>, times: number, at: number, next: Next): boolean {
    const more = () =>
      times < node.most &&
      go(node.node, at, end => (end > at || times < node.least) && repeat(node, times + 1, end, next))
    if (times < node.least) return more()
    return node.lazy ? next(at) || more() : more() || next(at)
  }
  return go(tree, start, () => true)
}
