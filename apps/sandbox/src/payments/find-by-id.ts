import type { SandboxContext } from '../context.ts'
import { missing, missingReference } from '../http/api-error.ts'
import type { Customer, Price } from '../objects/billing-objects.ts'

/** A customer that is not deleted. `param` names the field when the id was in a body. */
export function customerById(context: SandboxContext, id: string, param?: string): Customer {
  const customer = context.store.get('customer', id)
  if (customer && !customer.deleted) return customer
  throw param ? missingReference('customer', id, param) : missing('customer', id)
}

export function priceById(context: SandboxContext, id: string, param = 'price'): Price {
  const price = context.store.get('price', id)
  if (!price) throw missingReference('price', id, param)
  return price
}

export const clockOfCustomer = (context: SandboxContext, id: string | null) =>
  id === null ? null : (context.store.get('customer', id)?.test_clock ?? null)
