import type { SandboxContext } from '../context.ts'
import type { ControlReply } from '../control/reply.ts'
import { escapeHtml } from '../pages/assets.ts'
import { dnsRecords } from './name-server.ts'
import { providers } from './providers.ts'
import { idpOf } from './saml/idp.ts'
import { identityPage } from './sign-in-page.ts'

const values = (pairs: readonly (readonly [string, string])[]) =>
  `<dl class="values">${pairs
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('')}</dl>`

function social(origin: string) {
  const all = providers.map(({ id, title, client_id, client_secret }) => {
    const issuer = id === 'github' ? `${origin}/identity/github` : `${origin}/identity/oidc/${id}`
    const pairs = [
      [id === 'github' ? 'Address' : 'Issuer', issuer],
      ['Client id', client_id],
      ['Client secret', client_secret],
    ] as const
    return `<div><h3>${escapeHtml(title)}</h3>${values(pairs)}</div>`
  })
  return `<section class="card">
      <h2>Social sign-in</h2>
      <p>There are no passwords: choose a person on the page that opens.</p>
      <div class="twos">${all.join('')}</div>
    </section>`
}

function company(context: SandboxContext) {
  const idp = idpOf(context, undefined)
  return `<section class="card">
      <h2>Company sign-in (SAML)</h2>
      <p>Give the product the metadata’s address, or <a class="link" href="/identity/saml/metadata">its XML</a>.
        Another company is at /identity/saml/&lt;name&gt;/metadata.</p>
      ${values([
        ['Metadata', idp.entity_id],
        ['Entity id', idp.entity_id],
        ['Sign-in', idp.sso_url],
      ])}
    </section>`
}

const record = (name: string, txt: readonly string[]) =>
  `<li><dl class="values"><div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(txt.join('\n'))}</dd></div></dl>
        <form method="post" action="/identity/dns"><input type="hidden" name="name" value="${escapeHtml(name)}">
          <button class="btn btn--ghost" type="submit" aria-label="Remove ${escapeHtml(name)}">Remove</button></form></li>`

function names(context: SandboxContext) {
  const records = dnsRecords(context).map(({ id, txt, fault }) =>
    record(id, fault ? ['does not answer'] : txt),
  )
  return `<section class="card">
      <h2>Name server</h2>
      <p>The product looks up the TXT record of a domain here. You can set it for any domain.</p>
      <form class="inline" method="post" action="/identity/dns">
        <div class="field"><label for="name">Name</label>
          <input class="input" id="name" name="name" required autocomplete="off" spellcheck="false"></div>
        <div class="field"><label for="txt">Value</label>
          <input class="input" id="txt" name="txt" required autocomplete="off" spellcheck="false"></div>
        <button class="btn btn--primary" type="submit">Set record</button>
      </form>
      ${records.length > 0 ? `<ul class="records">${records.join('')}</ul>` : ''}
    </section>`
}

/** Lists the providers and the settings that the product needs. */
export const overviewPage = (context: SandboxContext): ControlReply =>
  identityPage(
    'Identity',
    `<body>
  <header class="bar">
    <span class="bar__mark"><img src="/sandbox/files/mark.svg" width="24" height="24" alt=""></span>
    <h1>Identity</h1>
    <nav aria-label="Sandbox">
      <a href="/">Inbox</a>
      <a href="/sandbox/requests">Payments</a>
      <a href="/identity" aria-current="page">Identity</a>
      <a href="/sandbox">Sandbox</a>
    </nav>
  </header>
  <main class="sheet">
    ${social(context.origin)}
    ${company(context)}
    ${names(context)}
  </main>
</body>`,
  )
