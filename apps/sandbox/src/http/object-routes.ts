import type { SandboxContext } from '../context.ts'
import type { Kind, Kinds } from '../objects/stored-objects.ts'
import { definitionNameOf } from '../schema/definitions.ts'
import { missing } from './api-error.ts'
import { type PageQuery, paginate } from './render-object.ts'
import { route } from './route.ts'

/** Stripe's name of the parameter with the id, where it is not `id`. */
const idParams: Partial<Record<Kind, string>> = {
  invoice: 'invoice',
  payment_intent: 'intent',
  payment_method: 'payment_method',
  setup_intent: 'intent',
}

export function findById<K extends Kind>(context: SandboxContext, kind: K, id: string): Kinds[K] {
  const found = context.store.get(kind, id)
  if (!found) throw missing(kind, id, idParams[kind])
  return found
}

const pathOf = (kind: Kind) => `/v1/${kind.replace('.', '/')}s`
const nameOf = (kind: Kind) => (kind === 'event' ? 'Event' : definitionNameOf(kind, false))

/** Registers the call that reads one object. */
export function retrieveRoute<K extends Kind>(
  kind: K,
  show: (context: SandboxContext, found: Kinds[K]) => unknown = (_, found) => found,
) {
  route('GET', `${pathOf(kind)}/:id`, `${nameOf(kind)}RetrieveParams`, ({ context, id }) =>
    show(context, findById(context, kind, id)),
  )
}

/** Registers the call that lists the objects that match. */
export function listRoute<K extends Kind, P extends PageQuery>(
  kind: K,
  matches: (one: Kinds[K], params: P) => boolean,
) {
  route<P>('GET', pathOf(kind), `${nameOf(kind)}ListParams`, ({ context, params, path }) =>
    paginate(
      context.store.all(kind).filter(one => matches(one, params)),
      path,
      params,
    ),
  )
}

/** Whether a filter of a list is absent or equals the value. */
export const isWanted = <T>(filter: T | undefined, value: T) => filter === undefined || filter === value
