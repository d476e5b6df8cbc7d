import type { BrowserContext, ConsoleMessage, Page, Request, Response } from '@playwright/test'
import { expect } from '@playwright/test'
import { app, sandbox } from './places.ts'

export type Watch = {
  follow: (context: BrowserContext) => void
  /** Answers with this status are part of the test. */
  allow: (...statuses: number[]) => void
  /** A line of the console that is part of the test. */
  allowLine: (line: RegExp) => void
  /** Another place than the product and its sandbox that is part of the test. */
  allowHost: (...hosts: string[]) => void
  /** Throws what was found. */
  settle: () => void
}

/** A token of ours in a query, whatever it is called. */
const secret = /[?&]\w+=([\w-]{43})(?=&|$)/
const secrets = new RegExp(secret, 'g')

/** Listens to every page of a browser: the console, errors, refusals of the content policy, hosts and answers. */
export function createWatch(): Watch {
  const found: string[] = []
  const statuses = new Set<number>()
  const lines: RegExp[] = []
  const served = new Set([new URL(app).host, new URL(sandbox).host])
  /** The page that each token was first seen to open, which is the one it is for. */
  const homes = new Map<string, string>()

  function hear(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1]
    if (status ? statuses.has(Number(status)) : lines.some(line => line.test(text))) return
    found.push(`console ${message.type()}: ${text} (${message.location().url})`)
  }
  function asked(request: Request): void {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !served.has(url.host))
      found.push(`a foreign host: ${request.url()}`)
    const referer = request.headers().referer
    if (referer && /token=|[?&]id=/.test(referer)) found.push(`a secret in a referrer: ${referer}`)
    if (request.isNavigationRequest()) went(request.url())
    // It is in the address of the page that its link opens, and of nothing that the page then asks for.
    if (secret.test(url.search) && !request.isNavigationRequest())
      found.push(`a secret in an address: ${request.url()}`)
  }
  /** A token is in the address of its own page, and goes with nobody to the next one, in whatever part of an address. */
  function went(address: string): void {
    // A window that is just opening has none.
    if (address === '') return
    const url = new URL(address)
    for (const [token, home] of homes)
      if (url.pathname !== home && address.includes(token))
        found.push(`a secret in a second address: ${address}`)
    if (url.host === new URL(sandbox).host) return
    for (const [, token = ''] of url.search.matchAll(secrets))
      if (!homes.has(token)) homes.set(token, url.pathname)
  }
  function answered(response: Response): void {
    const status = response.status()
    if (status >= 500 && !statuses.has(status)) found.push(`${status} from ${response.url()}`)
  }
  function broke(page: Page): void {
    page.on('pageerror', error => found.push(`page error: ${error.message}`))
    page.on('crash', () => found.push('a page crashed'))
    page.on('framenavigated', frame => frame === page.mainFrame() && went(frame.url()))
  }

  return {
    follow(context) {
      context.on('console', hear)
      context.on('request', asked)
      context.on('response', answered)
      context.on('page', broke)
      for (const page of context.pages()) broke(page)
    },
    allow: (...more) => {
      for (const status of more) statuses.add(status)
    },
    allowLine: line => lines.push(line),
    allowHost: (...hosts) => {
      for (const host of hosts) served.add(host)
    },
    settle: () => expect(found, 'nothing goes wrong unseen').toEqual([]),
  }
}
