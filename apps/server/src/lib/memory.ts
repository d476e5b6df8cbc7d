import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back what only the start needed, about 30 MB of dead modules' texts and of room for young objects: V8 keeps it
 * until its next full collection, for which an idle process gives no cause. Stops everything for about a tenth of a
 * second, so call it once, when the start is over.
 */
export function giveBackMemory() {
  setFlagsFromString('--expose-gc')
  // A context made from now on has the function.
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * From now on a collection in a quiet moment leaves compiled code alone. V8 drops it otherwise, and after every pause of
 * some seconds the next thousand calls took a quarter longer on the main thread; as much memory is given back without.
 */
export const keepCompiled = () => setFlagsFromString('--no-memory-reducer-favors-memory')
