import { fileURLToPath } from 'node:url'

/** Where the processes that tests start keep what Node made of each file, as `npm start` does: there are dozens of them. */
export const compileCache = fileURLToPath(new URL('../../../../.cache/compile', import.meta.url))
