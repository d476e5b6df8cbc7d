import type { Plugin } from 'vite'

const ID = 'virtual:endpoints'
const RESOLVED = `\0${ID}`

type Table = Record<string, Record<string, { method: string; path: string }>>

/**
 * Gives the browser the method and path of every call and nothing else, so that no URL is spelled twice
 * and the schemas (and zod with them) stay out of the bundle.
 */
export function endpoints(): Plugin {
  return {
    name: 'plinth:endpoints',
    resolveId: id => (id === ID ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      const { contract } = (await import('@plinth/contract')) as unknown as { contract: Table } // we need two fields of each
      return `export const endpoints = ${JSON.stringify(pathsOf(contract))}`
    },
  }
}

function pathsOf(contract: Table): Record<string, Record<string, [string, string]>> {
  const entries = Object.entries(contract).map(([feature, calls]) => [
    feature,
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, [call.method, call.path]])),
  ])
  return Object.fromEntries(entries)
}
