import type { Plugin, ViteDevServer } from 'vite'

const ID = 'virtual:endpoints'
const RESOLVED = `\0${ID}`

type Table = Record<string, Record<string, { method: string; path: string }>>

/**
 * Provides the method and path of every endpoint, so that no URL is written twice and the schemas and zod
 * stay out of the bundle.
 */
export function endpoints(): Plugin {
  let server: ViteDevServer | undefined
  return {
    name: 'plinth:endpoints',
    configureServer: started => {
      server = started
    },
    resolveId: id => (id === ID ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      // Node caches imports; the development server loads the contract again after a change.
      const loaded = server
        ? await server.ssrLoadModule('@plinth/contract')
        : await import('@plinth/contract')
      const { contract } = loaded as unknown as { contract: Table } // as: only these two fields are used
      return `export const endpoints = ${JSON.stringify(pathsOf(contract))}`
    },
    handleHotUpdate({ file, server: { moduleGraph, ws } }) {
      if (!file.includes('/packages/contract/src/')) return
      const table = moduleGraph.getModuleById(RESOLVED)
      if (table) moduleGraph.invalidateModule(table)
      ws.send({ type: 'full-reload' })
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
