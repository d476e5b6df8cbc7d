// Preloaded into a server: a message sets the offset of `Date`, and a message confirms it. Timers and performance.now()
// are not changed.
const Real = Date
let offset = 0
const now = () => Real.now() + offset

globalThis.Date = new Proxy(Real, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
  apply: () => new Real(now()).toString(),
})

process.on('message', (message: { offset?: unknown }) => {
  if (typeof message.offset !== 'number') return
  offset = message.offset
  process.send?.({ offset })
})
// The listener must not keep the server running.
process.channel?.unref()
