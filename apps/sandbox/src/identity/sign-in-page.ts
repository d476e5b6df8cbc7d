import { type ControlReply, htmlReply } from '../control/reply.ts'
import { escapeHtml } from '../pages/assets.ts'
import { fullName, readyPeople } from './people.ts'

/**
 * After the form the browser is redirected to the product, possibly on another port. Browsers check form-action at each
 * redirect. The referrer policy keeps the Origin header, which the sandbox requires.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self' http://localhost:* http://127.0.0.1:* https://localhost:*; frame-ancestors 'none'"

export function identityPage(title: string, body: string, { status = 200, head = '' } = {}): ControlReply {
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)} · Plinth sandbox</title>
  <link rel="icon" href="/sandbox/files/mark.svg">
  <link rel="stylesheet" href="/sandbox/files/page.css">
  <link rel="stylesheet" href="/sandbox/files/identity.css">${head}
</head>
${body}
</html>`
  const reply = htmlReply(html, policy, status)
  return { ...reply, headers: { ...reply.headers, 'referrer-policy': 'strict-origin' } }
}

export const seeOther = (location: string): ControlReply => ({
  status: 303,
  body: '',
  type: 'text/plain',
  headers: { location, 'referrer-policy': 'strict-origin' },
})

export const problemPage = (title: string, text: string): ControlReply =>
  identityPage(
    title,
    `<body class="endpoint"><main class="door__card">
  <h1>${escapeHtml(title)}</h1>
  <p>${escapeHtml(text)}</p>
</main></body>`,
    { status: 400 },
  )

interface Field {
  name: string
  label: string
  type?: string
  hint?: string
  required?: boolean
}

function input({ name, label, type = 'text', hint, required = false }: Field) {
  const described = hint ? ` aria-describedby="${name}-hint"` : ''
  return `<div class="field">
        <label for="${name}">${escapeHtml(label)}</label>
        <input class="input" id="${name}" name="${name}" type="${type}" autocomplete="off"
          spellcheck="false"${required ? ' required' : ''}${described}>
        ${hint ? `<p class="field__hint" id="${name}-hint">${escapeHtml(hint)}</p>` : ''}
      </div>`
}

const verifiedSwitch = `<label class="switch">
        <input type="hidden" name="email_verified" value="false">
        <input type="checkbox" role="switch" name="email_verified" value="true" checked>
        <span>The address is verified</span>
      </label>`

const people = () =>
  readyPeople
    .map(person => {
      const name = fullName(person)
      return `<li><button class="person" type="submit" name="person" value="${person.id}">
          <span class="person__mark" aria-hidden="true">${escapeHtml((name || person.email).slice(0, 1).toUpperCase())}</span>
          <span class="person__who"><strong>${escapeHtml(name || person.email)}</strong>
            <span>${escapeHtml(name ? person.email : 'has not given a name')}</span></span>
          <span class="badge${person.email_verified ? '' : ' badge--danger'}">${escapeHtml(person.note)}</span>
        </button></li>`
    })
    .join('\n      ')

export interface Choice {
  /** Name of the provider: "Google (sandbox)". */
  provider: string
  /** Destination of the reply, shown to the reader. */
  to: string
  /** Target of the forms: the page's own address. */
  action: string
  fields: readonly Field[]
  /** Whether the provider reports verified addresses. */
  verifiable: boolean
}

/** The page to choose a ready-made person, enter another one, or deny. */
export function choicePage({ provider, to, action, fields, verifiable }: Choice): ControlReply {
  const form = `<form method="post" action="${escapeHtml(action)}"`
  return identityPage(
    `Sign in with ${provider}`,
    `<body class="endpoint"><main class="door__card">
  <p class="door__name"><img src="/sandbox/files/mark.svg" width="20" height="20" alt=""> ${escapeHtml(provider)}</p>
  <h1>Who is signing in?</h1>
  <p class="door__to">You go on to <strong>${escapeHtml(to)}</strong>. This is the sandbox: there are no passwords.</p>
  ${form} aria-label="People">
    <ul class="people">
      ${people()}
    </ul>
  </form>
  <details class="else">
    <summary>Someone else</summary>
    ${form}>
      ${fields.map(input).join('\n      ')}
      ${verifiable ? verifiedSwitch : ''}
      <button class="btn btn--primary" type="submit">Sign in</button>
    </form>
  </details>
  ${form}>
    <button class="btn btn--ghost door__cancel" type="submit" name="action" value="deny">Cancel</button>
  </form>
</main></body>`,
  )
}
