/**
 * The fields of Stripe's objects that the sandbox reads or writes. Objects are stored in Stripe's format; all other
 * fields come from the schema. Fields with a leading underscore are private and never sent.
 */
export interface Base {
  id: string
  object: string
  created: number
  metadata?: Record<string, string> | null
}
