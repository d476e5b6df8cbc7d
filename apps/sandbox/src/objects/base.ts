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

/** An SDK type as it is stored: with ids in place of the objects that a reply can expand. */
export type Unexpanded<T> = {
  [K in keyof T]: [Extract<T[K], string>] extends [never] ? T[K] : Exclude<T[K], { id: string }>
}
