import { missing, missingReference } from '../http/api-error.ts'
import type { Customer, Price } from '../objects.ts'
import type { World } from '../world.ts'

/** A living customer; `param` says that the id came inside a body. */
export function customerById(world: World, id: string, param?: string): Customer {
  const customer = world.store.get('customer', id)
  if (customer && !customer.deleted) return customer
  throw param ? missingReference('customer', id, param) : missing('customer', id)
}

export function priceById(world: World, id: string, param = 'price'): Price {
  const price = world.store.get('price', id)
  if (!price) throw missingReference('price', id, param)
  return price
}
