import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

/** The least that React can show. What a page of ours weighs is told as a multiple of this. */
const root = document.getElementById('root')
if (root) createRoot(root).render(createElement('h1', null, 'Floor'))
