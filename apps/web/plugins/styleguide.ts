import type { Plugin } from 'vite'

const ADDRESS = /^\/dev\/ui\/?(?=\?|$)/

/** Serves the style guide at /dev/ui in development only. */
export function styleguide(): Plugin {
  return {
    name: 'plinth:styleguide',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(ADDRESS, '/src/ui/styleguide/index.html')
        next()
      })
    },
  }
}
