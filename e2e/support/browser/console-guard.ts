import {
  type BrowserContext,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type Response,
} from '@playwright/test'
import { appUrl, sandboxUrl } from '../urls.ts'

export type ConsoleGuard = {
  observe: (context: BrowserContext) => void
  /** Allows responses with these statuses. */
  allowStatus: (...statuses: number[]) => void
  /** Allows console messages that match. */
  allowMessage: (line: RegExp) => void
  /** Allows requests to hosts other than the product and its sandbox. */
  allowHost: (...hosts: string[]) => void
  /** Fails with all problems found. */
  expectNoProblems: () => void
}

/** A token of the product in a query parameter of any name. */
const tokenInQuery = /[?&]\w+=([\w-]{43})(?=&|$)/
const tokensInQuery = new RegExp(tokenInQuery, 'g')

/** Checks every page of a browser for console errors, policy violations, foreign hosts, leaked tokens and status 500. */
export function createConsoleGuard(): ConsoleGuard {
  const problems: string[] = []
  const statuses = new Set<number>()
  const lines: RegExp[] = []
  const allowedHosts = new Set([new URL(appUrl).host, new URL(sandboxUrl).host])
  /** The path of the first page that each token opened: the page that the token is for. */
  const pathOfToken = new Map<string, string>()

  function onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1]
    if (status ? statuses.has(Number(status)) : lines.some(line => line.test(text))) return
    problems.push(`console ${message.type()}: ${text} (${message.location().url})`)
  }
  function onRequest(request: Request): void {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !allowedHosts.has(url.host))
      problems.push(`a foreign host: ${request.url()}`)
    const referer = request.headers().referer
    if (referer && /token=|[?&]id=/.test(referer)) problems.push(`a secret in a referrer: ${referer}`)
    if (request.isNavigationRequest()) onNavigation(request.url())
    // Only the page that the link opens has the token in its address, no request of that page.
    if (tokenInQuery.test(url.search) && !request.isNavigationRequest())
      problems.push(`a secret in an address: ${request.url()}`)
  }
  /** A token is only in the address of its own page, never in that of a later one. */
  function onNavigation(address: string): void {
    // A window that is opening has no address.
    if (address === '') return
    const url = new URL(address)
    for (const [token, home] of pathOfToken)
      if (url.pathname !== home && address.includes(token))
        problems.push(`a secret in a second address: ${address}`)
    if (url.host === new URL(sandboxUrl).host) return
    for (const [, token = ''] of url.search.matchAll(tokensInQuery))
      if (!pathOfToken.has(token)) pathOfToken.set(token, url.pathname)
  }
  function onResponse(response: Response): void {
    const status = response.status()
    if (status >= 500 && !statuses.has(status)) problems.push(`${status} from ${response.url()}`)
  }
  function observePage(page: Page): void {
    page.on('pageerror', error => problems.push(`page error: ${error.message}`))
    page.on('crash', () => problems.push('a page crashed'))
    page.on('framenavigated', frame => frame === page.mainFrame() && onNavigation(frame.url()))
  }

  return {
    observe(context) {
      context.on('console', onConsole)
      context.on('request', onRequest)
      context.on('response', onResponse)
      context.on('page', observePage)
      for (const page of context.pages()) observePage(page)
    },
    allowStatus: (...more) => {
      for (const status of more) statuses.add(status)
    },
    allowMessage: line => lines.push(line),
    allowHost: (...hosts) => {
      for (const host of hosts) allowedHosts.add(host)
    },
    expectNoProblems: () => expect(problems, 'unexpected problems in the browser').toEqual([]),
  }
}
