import { type Mock, vi } from 'vitest'

type Handler = (event: { empty: boolean }) => void
type Call = Mock<(args?: unknown) => Promise<object>>

/** The part of Stripe.js that the product uses: a card field in an iframe, and four calls. */
export function fakeStripe() {
  const handlers = new Map<string, Handler>()
  const element: Record<'on' | 'mount' | 'update' | 'focus' | 'destroy', Mock> = {
    on: vi.fn((name: string, handler: Handler) => handlers.set(name, handler)),
    mount: vi.fn((box: HTMLElement) => box.append(document.createElement('iframe'))),
    update: vi.fn(),
    focus: vi.fn(),
    destroy: vi.fn(),
  }
  const call = (answer: object): Call => vi.fn(async () => answer)
  const stripe: Record<
    'createToken' | 'createPaymentMethod' | 'confirmCardPayment' | 'confirmCardSetup',
    Call
  > = {
    createToken: call({}),
    createPaymentMethod: call({ paymentMethod: { id: 'pm_real' } }),
    confirmCardPayment: call({}),
    confirmCardSetup: call({}),
  }
  return {
    element,
    stripe,
    /** Sends an event from Stripe's iframe. */
    happens: (name: 'change' | 'focus' | 'blur' | 'loaderror', event = { empty: false }) =>
      handlers.get(name)?.(event),
    /** Simulates the loaded script. Returns a mock that receives the key and the options. */
    install(): Mock {
      installed = { stripe: { ...stripe, elements: () => ({ create: () => element }) }, opened: vi.fn() }
      vi.stubGlobal('Stripe', script)
      return installed.opened
    },
  }
}

let installed: { stripe: object; opened: Mock }
/** One for all tests of a file, because the loader keeps the first script it finds. */
const script = Object.assign(
  (...args: unknown[]) => {
    installed.opened(...args)
    return installed.stripe
  },
  { version: 'endive' },
)
