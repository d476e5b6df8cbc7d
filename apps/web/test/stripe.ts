import { type Mock, vi } from 'vitest'

type Handler = (event: { empty: boolean }) => void
type Call = Mock<(asked?: unknown) => Promise<object>>

/** Stripe.js as far as the product uses it: a card field in a frame that nobody can look into, and three calls. */
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
    /** What happens in Stripe's frame. */
    happens: (name: 'change' | 'focus' | 'blur' | 'loaderror', event = { empty: false }) =>
      handlers.get(name)?.(event),
    /** As if its script had run. Answers what hears of the key and the options it is opened with. */
    install(): Mock {
      opened = { stripe: { ...stripe, elements: () => ({ create: () => element }) }, heard: vi.fn() }
      vi.stubGlobal('Stripe', script)
      return opened.heard
    },
  }
}

let opened: { stripe: object; heard: Mock }
/** One for all tests of a file: the loader keeps the first one that it has found. */
const script = Object.assign(
  (...asked: unknown[]) => {
    opened.heard(...asked)
    return opened.stripe
  },
  { version: 'endive' },
)
