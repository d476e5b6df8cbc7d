import type { Endpoint } from '@plinth/contract'
import { type Html, html } from './html.ts'
import { accessOf, answerOf } from './openapi.ts'
import { exampleOf, type JsonSchema } from './openapi-example.ts'
import { type Feature, featuresOf, type Tables } from './openapi-features.ts'
import { schemaOf } from './openapi-schemas.ts'
import { failuresSection, ownFailures } from './page-failures.ts'
import { type FieldRow, rowsOf } from './page-fields.ts'
import { keysSection } from './page-keys.ts'

/** The API as one page to read: no inline style or script, everything from the contract; one script to copy with. */
export function docsPage(contract: Tables, publicUrl: string): string {
  const features = featuresOf(contract)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Plinth API</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs.css">
<script type="module" src="/api/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">${mark}<span class="bar__name">Plinth API</span><a class="bar__calls" href="#calls">All calls</a><a class="bar__link" href="/api/openapi.json">openapi.json</a></header>
<div class="frame">
<nav class="nav" id="calls" aria-label="Calls">${search}${navigation(features)}</nav>
<main class="main" id="content" tabindex="-1">${introduction}${keysSection(block, publicUrl)}${features.map(feature => section(feature, publicUrl))}${failuresSection()}</main>
</div>
</body>
</html>`
  return page.markup
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect class="mark__cap" x="4" y="3" width="16" height="5" rx="1"/><rect x="7" y="9.5" width="10" height="5" rx="1"/><rect x="2" y="16" width="20" height="5" rx="1"/></svg>`

/** Shown by page.js, which does the searching. */
const search = html`<div class="search" hidden><label class="search__label" for="search">Search calls</label><input class="search__input" id="search" type="search" autocomplete="off" spellcheck="false" placeholder="invite, POST, /api/key…"><p class="search__count" role="status"></p></div>`

const anchorOf = ({ method, path }: Endpoint) =>
  `${method}-${path.replace(/^\/api\//, '')}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const methodTag = (method: string) =>
  html`<span class="method method--${method.toLowerCase()}">${method}</span>`

function navigation(features: Feature[]): Html {
  const links = features.map(
    ({ id, title, endpoints }) =>
      html`<li><a class="nav__group" href="#${id}">${title}</a><ul>${endpoints.map(
        ([, endpoint]) =>
          html`<li><a class="nav__call" href="#${anchorOf(endpoint)}">${methodTag(endpoint.method)} ${shortPath(endpoint)}</a></li>`,
      )}</ul></li>`,
  )
  return html`<ul class="nav__list"><li><a class="nav__group" href="#start">How calls look</a></li><li><a class="nav__group" href="#keys">Calling with an API key</a></li>${links}<li><a class="nav__group" href="#failures">Failures</a></li></ul>`
}

/** Breaks at a slash where it is too long for the list. */
const shortPath = ({ path }: Endpoint) =>
  path
    .replace(/^\/api/, '')
    .split(/(?<=.)(?=\/)/)
    .map((part, n) => html`${n > 0 ? html`<wbr>` : null}${part}`)

const block = (label: string, text: string) =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre><code>${text}</code></pre></figure>`

const json = (value: unknown) => JSON.stringify(value, null, 2)

const introduction = html`<section class="intro" id="start" aria-labelledby="start-title">
<h1 id="start-title">Plinth API</h1>
<p class="lead">Everything the product does, it does through these calls. They speak JSON over HTTPS, and every rule on this page is the one that the server checks.</p>
<div class="notes">
<div><h2>Signing in</h2><p>Every way in answers a token. Send it as <code>Authorization: Bearer &lt;token&gt;</code>. A missing or dead one is a 401. Programs use an <a href="#keys">API key</a>.</p></div>
<div><h2>Answers</h2><p>Success is <code>data</code>, and sometimes a translated <code>message</code> to show. Times are UTC in ISO 8601, money is whole minor units.</p></div>
<div><h2>Failures</h2><p>A translated <code>message</code>, a stable <code>code</code>, the field that caused it in <code>inputError</code>, and on a 402 the <code>plan</code> that would allow it. A 429 is plain text with <code>Retry-After</code>. A call names the codes of its own; <a href="#shared">those that calls share</a> are said once.</p></div>
<div><h2>Once only</h2><p>Where a call says so, send an <code>Idempotency-Key</code>. Repeating the call with the same key gives the first answer again and does nothing twice.</p></div>
<div><h2>Languages</h2><p><code>Accept-Language</code> chooses the language of messages and mails.</p></div>
<div><h2>Unknown fields</h2><p>A field that a call does not know is refused, so a typing error never passes for a success.</p></div>
</div>
</section>`

function section({ id, title, text, endpoints }: Feature, publicUrl: string): Html {
  return html`<section class="feature" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><p class="lead">${text}</p>${endpoints.map(
    ([, endpoint]) => call(endpoint, publicUrl),
  )}</section>`
}

function call(endpoint: Endpoint, publicUrl: string): Html {
  const anchor = anchorOf(endpoint)
  const sent = endpoint.body && schemaOf(endpoint.body, 'input')
  const answer = schemaOf(endpoint.reply, 'output')
  return html`<article class="call" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="call__words">
<h3 id="${anchor}-title"><a href="#${anchor}">${methodTag(endpoint.method)} <code>${endpoint.path}</code></a></h3>
<p>${endpoint.summary}</p>
${access(endpoint)}
${endpoint.params ? table('In the path', rowsOf(schemaOf(endpoint.params, 'input'))) : null}
${endpoint.query ? table('In the query', rowsOf(schemaOf(endpoint.query, 'input'))) : null}
${sent ? table('You send', rowsOf(sent)) : null}
${table('You get', rowsOf(answer))}
${ownFailures(endpoint)}
</div>
<div class="call__code">${block('Request', curl(endpoint, sent, publicUrl))}${block('Answer', endpoint.download ? `A file: ${endpoint.download}` : json(exampleOf(schemaOf(answerOf(endpoint), 'output'))))}</div>
</article>`
}

function access(endpoint: Endpoint): Html {
  const { who, when, keys } = accessOf(endpoint)
  const row = (name: string, text: string | null) => (text ? html`<dt>${name}</dt><dd>${text}</dd>` : null)
  return html`<dl class="access">${row('Who', who)}${row('When', when)}${row('With', keys)}${row(
    'Budget',
    endpoint.limit ? `Counted as “${endpoint.limit}”; too many calls are refused for a while.` : null,
  )}${row('Repeat', endpoint.idempotent ? 'Takes an Idempotency-Key.' : null)}</dl>`
}

function table(title: string, rows: FieldRow[]): Html | null {
  const [first] = rows
  if (!first) return null
  // When all fields are in a list or under one key, the heading says so and the names stay short.
  const step = /^(?:\[\]|\{\})\./.exec(first.name)?.[0] ?? ''
  const whole = step === '[].' ? `${title} a list of` : step ? `${title}, by name` : title
  return html`<table class="fields"><caption>${whole}</caption><thead><tr><th scope="col">Field</th><th scope="col">Notes</th></tr></thead><tbody>${rows.map(
    ({ name, type, required, notes }) =>
      html`<tr><th scope="row"><code>${name.slice(step.length)}</code> ${type}${required ? null : ', optional'}</th><td>${notes}</td></tr>`,
  )}</tbody></table>`
}

function curl(endpoint: Endpoint, sent: JsonSchema | undefined, publicUrl: string): string {
  const { method, path, needs, scope, idempotent } = endpoint
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${publicUrl}${path}`,
    needs !== 'public' && `-H "Authorization: Bearer ${scope ? '$PLINTH_KEY' : '$TOKEN'}"`,
    idempotent && '-H "Idempotency-Key: $(uuidgen)"',
    sent && "-H 'Content-Type: application/json'",
    sent && `-d '${json(exampleOf(sent))}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}
