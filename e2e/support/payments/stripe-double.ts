import type { BrowserContext, Page, Route } from '@playwright/test'
import { sandboxUrl } from '../urls.ts'

/** Stripe hosts that a page with a card form may call. */
export const stripeHosts = ['js.stripe.com', 'api.stripe.com', 'hooks.stripe.com']

/**
 * Replaces Stripe in the browser at its own addresses: script, frames and API. The sandbox answers the API; the script
 * implements the four calls that the product makes.
 */
export async function mockStripe(context: BrowserContext): Promise<void> {
  await context.route('https://js.stripe.com/**', route => {
    const script = new URL(route.request().url()).pathname.endsWith('.js')
    return route.fulfill(
      script
        ? { contentType: 'text/javascript', body: stripeScript }
        : { contentType: 'text/html', body: cardFrame },
    )
  })
  await context.route('https://api.stripe.com/**', forwardToSandbox)
  await context.route('https://hooks.stripe.com/**', serveBankPage)
}

async function forwardToSandbox(route: Route): Promise<void> {
  const request = route.request()
  const { pathname, search } = new URL(request.url())
  const answer = await fetch(sandboxUrl + pathname + search, {
    method: request.method(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: request.postData(),
  })
  await route.fulfill({
    status: answer.status,
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body: await answer.text(),
  })
}

/** Serves the question; its links report the outcome to the sandbox. */
async function serveBankPage(route: Route): Promise<void> {
  const url = new URL(route.request().url())
  const outcome = url.searchParams.get('outcome')
  if (outcome) {
    const { intent = '', client_secret = '' } = Object.fromEntries(url.searchParams)
    await fetch(`${sandboxUrl}/sandbox/3ds/${intent}`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret, outcome }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }
  const link = (name: string, value: string) => {
    const query = new URLSearchParams({ ...Object.fromEntries(url.searchParams), outcome: value })
    return `<a href="?${String(query).replaceAll('&', '&amp;')}">${name}</a>`
  }
  const body = outcome
    ? `<script>parent.postMessage({ answered: true }, '*')</script>`
    : `${link('Complete', 'complete')} ${link('Fail', 'fail')}`
  await route.fulfill({ contentType: 'text/html', body })
}

const cardFrame = `<!doctype html><title>Card</title><input aria-label="Card number" autocomplete="off"><script>
  const input = document.querySelector('input')
  const say = what => parent.postMessage({ what, number: input.value }, '*')
  for (const what of ['input', 'focus', 'blur']) input.addEventListener(what, () => say(what))
  addEventListener('message', () => input.focus())
</script>`

const stripeScript = `(() => {
  const api = 'https://api.stripe.com/v1/'
  const ask = (path, form) => fetch(api + path, form && { method: 'POST', body: new URLSearchParams(form) }).then(answer => answer.json())
  const make = (src, title) => Object.assign(document.createElement('iframe'), { src, title })
  const heard = (host, take) => addEventListener('message', event => event.origin === 'https://' + host && take(event.data))

  function Stripe(key) {
    let number = ''
    const handlers = {}
    function create() {
      const frame = make('https://js.stripe.com/v3/elements-inner-card.html', 'Secure card payment input frame')
      heard('js.stripe.com', ({ what, number: typed }) => {
        number = typed
        handlers[what === 'input' ? 'change' : what]?.({ empty: !typed })
      })
      return {
        on: (name, handler) => { handlers[name] = handler },
        mount: box => box.append(frame),
        update() {},
        focus: () => frame.contentWindow?.postMessage('focus', 'https://js.stripe.com'),
        destroy: () => frame.remove(),
      }
    }
    async function confirm(kind, secret) {
      const id = secret.split('_secret')[0]
      const read = () => ask(kind + '_intents/' + id + '?' + new URLSearchParams({ key, client_secret: secret }))
      if ((await read()).status === 'requires_action') {
        const frame = make('https://hooks.stripe.com/3d_secure?' + new URLSearchParams({ intent: id, client_secret: secret }), 'Your bank')
        const answered = new Promise(resolve => heard('hooks.stripe.com', resolve))
        document.body.append(frame)
        await answered
        frame.remove()
      }
      const intent = await read()
      const failed = { type: 'card_error', code: kind + '_intent_authentication_failure', [kind + '_intent']: intent }
      return intent.status === 'succeeded' ? { [kind + 'Intent']: intent } : { error: failed }
    }
    return {
      elements: () => ({ create }),
      createToken: async () => ({}),
      createPaymentMethod: async () => {
        const { error, ...paymentMethod } = await ask('payment_methods', {
          key, type: 'card', 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': '2034', 'card[cvc]': '123',
        })
        return error ? { error } : { paymentMethod }
      },
      confirmCardPayment: secret => confirm('payment', secret),
      confirmCardSetup: secret => confirm('setup', secret),
    }
  }
  window.Stripe = Object.assign(Stripe, { version: 'endive' })
})()`

/** The card number field inside the frame of Stripe. */
export const stripeCardNumber = (page: Page) =>
  page.frameLocator('iframe[title="Secure card payment input frame"]').getByRole('textbox')
