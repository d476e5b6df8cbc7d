import type { Endpoint } from '@plinth/contract'
import { type RefusalCode, refusals } from '@plinth/contract/refusals'
import { type Html, html } from './html.ts'
import { byStatus, messageOf, ownRefusalsOf, rules } from './openapi-failures.ts'

/** Codes of a call's own, shown apart from the codes that calls share. */
export function ownFailures(endpoint: Endpoint): Html {
  const own = ownRefusalsOf(endpoint)
  const shared = html`<a href="#shared">the codes that calls share</a>`
  return own.length > 0
    ? html`<div class="refused"><h4>Can be refused with</h4>${links(own)}<p>Besides ${shared}.</p></div>`
    : html`<p class="refused">Has no codes of its own, besides ${shared}.</p>`
}

const links = (codes: RefusalCode[]) =>
  html`<ul class="codes">${codes.map(
    code => html`<li><a href="#code-${code}">${refusals[code]} <code>${code}</code></a></li>`,
  )}</ul>`

export function failuresSection(): Html {
  const codes = byStatus(Object.keys(refusals) as RefusalCode[]) // as: the keys of that very table
  return html`<section class="feature" id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2><p class="lead">Decide by the code; show the message.</p><table class="fields fields--kinds" id="shared"><caption>Codes that calls share: each row that fits a call is for it</caption><thead><tr><th scope="col">Calls</th><th scope="col">Codes</th></tr></thead><tbody>${rules.map(
    rule => html`<tr><th scope="row">${rule.calls}</th><td>${links(byStatus(rule.codes))}</td></tr>`,
  )}</tbody></table><table class="fields fields--codes"><caption>All codes</caption><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Message in English</th></tr></thead><tbody>${codes.map(
    code =>
      html`<tr id="code-${code}"><th scope="row"><code>${code}</code></th><td>${refusals[code]}</td><td>${messageOf(code)}</td></tr>`,
  )}</tbody></table></section>`
}
