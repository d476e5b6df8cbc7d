/**
 * The fields of Stripe's objects that the sandbox itself reads or writes. Objects are kept in the shape of the
 * wire (every other field comes from the schema's skeleton); names that start with _ are ours and never leave.
 */
export interface Base {
  id: string
  object: string
  created: number
  metadata?: Record<string, string> | null
}
