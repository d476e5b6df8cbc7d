// Preloaded into a server whose clock a journey turns: a message says by how much, and the answer that it is turned.
// Time that a process measures (timers, performance.now) goes on as ever.
const Real = Date
let ahead = 0
const now = () => Real.now() + ahead

globalThis.Date = new Proxy(Real, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
  apply: () => new Real(now()).toString(),
})

process.on('message', (said: { ahead?: unknown }) => {
  if (typeof said.ahead !== 'number') return
  ahead = said.ahead
  process.send?.({ ahead })
})
// To listen for it alone must not keep the server alive.
process.channel?.unref()
