import { scopes } from '@plinth/contract/scopes'
import { type Html, html } from './html.ts'

const body = (value: object) => `-H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(value)}'`

/** Lines to paste into a terminal, each a whole call. */
const examplesAt = (host: string) => [
  {
    label: 'Send an event',
    text: `curl -X POST ${host}/api/event \\\n  -H "Authorization: Bearer $PLINTH_KEY" \\\n  ${body({ name: 'parcel_sent', metadata: { weight: 1200 } })}`,
  },
  {
    label: 'Report usage, once however often it is sent',
    text: `curl -X POST ${host}/api/usage \\\n  -H "Authorization: Bearer $PLINTH_KEY" \\\n  ${body({ quantity: 25, identifier: 'order-1042' })}`,
  },
  {
    label: 'The same for tools that know no Bearer: the key as user name, no password',
    text: `curl -X POST ${host}/api/usage \\\n  -u "$PLINTH_KEY:" \\\n  ${body({ quantity: 25, identifier: 'order-1042' })}`,
  },
  {
    label: 'Look for keys that were left in files',
    text: "grep -rnE 'plinth_(live|test)_[0-9A-Za-z]{38}' .",
  },
]

/** How a program calls the API: about keys, and commands to copy. */
export function keysSection(block: (label: string, text: string) => Html, publicUrl: string): Html {
  return html`<section class="feature" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Calling with an API key</h2><p class="lead">A program shows an API key instead of a session. Developers and owners make keys under Account, API keys.</p>
<article class="call" id="keys-how" aria-labelledby="keys-how-title">
<div class="call__words">
<h3 id="keys-how-title">What a key can do</h3>
<p>A key is sent as <code>Authorization: Bearer &lt;key&gt;</code>, or with Basic as the user name. It opens the calls that name one of its scopes, ${scopes.map((scope, n) => html`${n > 0 ? ' and ' : ''}<code>${scope}</code>`)}, and no others; never what guards an account.</p>
<p>It acts with the permission that its maker has today. When the maker becomes less than a developer or leaves, when the subscription is not active, or when the key is revoked or expires, it is refused at once.</p>
<p>Keys begin with <code>plinth_live_</code>, or <code>plinth_test_</code> where no real cards are charged, and end with a checksum, so that scanners find a key that leaked. Revoke such a key before anything else.</p>
</div>
<div class="call__code">${examplesAt(publicUrl).map(({ label, text }) => block(label, text))}</div>
</article>
</section>`
}
