import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

/** The smallest React page. The weight of our pages is given as a multiple of this one. */
const root = document.getElementById('root')
if (root) createRoot(root).render(createElement('h1', null, 'Floor'))
