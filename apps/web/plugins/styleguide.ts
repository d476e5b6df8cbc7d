import type { Plugin } from 'vite'

const ADDRESS = /^\/dev\/ui\/?(?=\?|$)/

/** The sheet of every part at /dev/ui: on the development server alone, since a build has neither address nor page. */
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
