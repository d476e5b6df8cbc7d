/** The list of toasts without any rendering, so that the first page stays small. */
export type ToastVariant = 'default' | 'success' | 'info' | 'error'

export interface ToastInput {
  title?: string
  description?: string
  variant?: ToastVariant
  action?: { label: string; onSelect: () => void }
}

export interface Toast extends ToastInput {
  id: string
  open: boolean
}

const VISIBLE = 3
export const REMOVE_AFTER = 10_000

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
const removalTimers = new Map<string, ReturnType<typeof setTimeout>>()

function set(next: readonly Toast[]) {
  for (const { id } of toasts) if (!next.some(one => one.id === id)) cancelRemoval(id)
  toasts = next
  for (const listener of listeners) listener()
}

function cancelRemoval(id: string) {
  clearTimeout(removalTimers.get(id))
  removalTimers.delete(id)
}

/**
 * Adds a toast: newest first, at most three. An open toast with the same content is replaced. Returns the id
 * for `update` and `dismiss`.
 */
export function toast(input: ToastInput): string {
  count += 1
  const id = String(count)
  const others = toasts.filter(one => !(one.open && isSameToast(one, input)))
  set([{ ...input, id, open: true }, ...others].slice(0, VISIBLE))
  return id
}

const isSameToast = (one: ToastInput, other: ToastInput): boolean =>
  one.title === other.title && one.description === other.description && one.variant === other.variant

export function update(id: string, patch: Partial<ToastInput>): void {
  set(toasts.map(one => (one.id === id ? { ...one, ...patch } : one)))
}

/** Closes one toast, or all without an id. It stays in the list for 10 s, for its exit animation. */
export function dismiss(id?: string): void {
  const closing = toasts.filter(one => id === undefined || one.id === id)
  for (const one of closing) {
    if (removalTimers.has(one.id)) continue
    removalTimers.set(
      one.id,
      setTimeout(() => set(toasts.filter(other => other.id !== one.id)), REMOVE_AFTER),
    )
  }
  set(toasts.map(one => (closing.includes(one) ? { ...one, open: false } : one)))
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const snapshot = (): readonly Toast[] => toasts
